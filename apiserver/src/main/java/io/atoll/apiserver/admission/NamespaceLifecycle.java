package io.atoll.apiserver.admission;

import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.Registry;
import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.ApiException.Details;
import io.atoll.model.GroupResource;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Nothing new in a namespace that is not there or is going, and the first namespaces stay. */
public final class NamespaceLifecycle implements Admission {
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private final Registry registry;

    public NamespaceLifecycle(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void admit(AdmissionRequest request) {
        if (request.is("", "namespaces")) {
            if (request.operation() == Operation.DELETE && IMMORTAL.contains(request.name())) {
                throw ApiException.forbidden(NAMESPACES, request.name(), "this namespace may not be deleted");
            }
            return;
        }
        if (request.namespace().isEmpty() || request.operation() != Operation.CREATE) {
            return;
        }
        ObjectNode namespace = registry.find(NAMESPACES, "", request.namespace())
                .orElseThrow(() -> ApiException.notFound(NAMESPACES, request.namespace()))
                .tree();
        if (Metadata.deleting(namespace)) {
            throw terminating(request);
        }
    }

    private static ApiException terminating(AdmissionRequest request) {
        GroupResource resource = request.resource().type().groupResource();
        String why =
                "unable to create new content in namespace " + request.namespace() + " because it is being terminated";
        return new ApiException(
                StatusReason.Forbidden,
                403,
                resource + " \"" + request.name() + "\" is forbidden: " + why,
                new Details(
                        resource.group(),
                        resource.resource(),
                        request.name(),
                        List.of(new Cause(
                                "NamespaceTerminating",
                                "namespace " + request.namespace() + " is being terminated",
                                "metadata.namespace")),
                        0));
    }
}
