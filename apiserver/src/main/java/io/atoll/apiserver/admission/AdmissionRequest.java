package io.atoll.apiserver.admission;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.registry.ServedResource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write on its way in.
 *
 * @param subresource empty for the object itself
 * @param namespace empty when cluster scoped
 * @param object what will be stored; plugins change it in place while they admit; null for a delete
 * @param before what is stored; null for a create
 */
public record AdmissionRequest(
        UserInfo user,
        Operation operation,
        ServedResource resource,
        String subresource,
        String namespace,
        String name,
        @Nullable ObjectNode object,
        @Nullable ObjectNode before,
        boolean dryRun) {

    /** As in {@code admission.k8s.io/v1}. */
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    public boolean is(String group, String resourceName) {
        return resource.type().group().equals(group)
                && resource.type().resource().equals(resourceName);
    }
}
