package io.atoll.apiserver.authz;

import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.StatusReason;

/** The refusal that a client sees, in Kubernetes' words. */
public final class Forbidden {
    private Forbidden() {}

    /**
     * A 403.
     *
     * @param reason of the authorizer; may be empty
     */
    public static ApiException of(Attributes request, String reason) {
        String why = reason.isEmpty() ? sentence(request) : sentence(request) + ": " + reason;
        if (!request.resourceRequest()) {
            return new ApiException(StatusReason.Forbidden, "forbidden: " + why);
        }
        return ApiException.forbidden(new GroupResource(request.group(), request.resource()), request.name(), why);
    }

    /** What the user may not do. */
    static String sentence(Attributes request) {
        String who = "User \"" + request.user().name() + "\" cannot " + request.verb();
        if (!request.resourceRequest()) {
            return who + " path \"" + request.path() + "\"";
        }
        String resource =
                request.subresource().isEmpty() ? request.resource() : request.resource() + "/" + request.subresource();
        String where = request.namespace().isEmpty()
                ? " at the cluster scope"
                : " in the namespace \"" + request.namespace() + "\"";
        return who + " resource \"" + resource + "\" in API group \"" + request.group() + "\"" + where;
    }
}
