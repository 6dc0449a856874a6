package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authz.Attributes;
import io.atoll.apiserver.authz.Authorizer;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.StatusReason;

/** Asks the authorizer, and words its refusals as Kubernetes does. Stateless. */
final class Access {
    private Access() {}

    /** Requires a further verb on the object of a call. */
    static void require(Call call, String verb) {
        require(call.parts().authorizer(), attributes(call.user(), verb, call.path(), call.http()));
    }

    static Attributes attributes(UserInfo user, String verb, RequestPath path, ApiRequest request) {
        if (!path.isResource()) {
            return Attributes.ofPath(user, verb, request.path());
        }
        return new Attributes(
                user,
                verb,
                path.group(),
                path.version(),
                path.resource(),
                path.subresource(),
                path.authorizedNamespace(),
                path.authorizedName(request),
                "");
    }

    static void require(Authorizer authorizer, Attributes attributes) {
        Authorizer.Decision decision = authorizer.authorize(attributes);
        if (!decision.allowed()) {
            throw refusal(attributes, decision.reason());
        }
    }

    private static ApiException refusal(Attributes wanted, String reason) {
        String because = reason.isEmpty() ? "" : ": " + reason;
        String user = "User \"" + wanted.user().name() + "\" cannot ";
        if (!wanted.resourceRequest()) {
            return new ApiException(
                    StatusReason.Forbidden,
                    "forbidden: " + user + wanted.verb() + " path \"" + wanted.path() + "\"" + because);
        }
        String resource =
                wanted.subresource().isEmpty() ? wanted.resource() : wanted.resource() + "/" + wanted.subresource();
        String scope = wanted.namespace().isEmpty()
                ? " at the cluster scope"
                : " in the namespace \"" + wanted.namespace() + "\"";
        return ApiException.forbidden(
                new GroupResource(wanted.group(), wanted.resource()),
                wanted.name(),
                user + wanted.verb() + " resource \"" + resource + "\" in API group \"" + wanted.group() + "\"" + scope
                        + because);
    }
}
