package io.atoll.scheduler.grouper;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One owner above a pod, or the pod itself.
 *
 * @param namespace empty when cluster scoped or not known
 * @param object empty when its kind is not served or it is gone: then the reference is all that is known
 */
public record Owner(GroupVersionKind kind, String namespace, String name, String uid, Optional<ObjectNode> object) {
    /** An object that is there. */
    public static Owner of(ObjectNode object) {
        return new Owner(
                GroupVersionKind.of(
                        object.path("apiVersion").asString(""),
                        object.path("kind").asString("")),
                Metadata.namespace(object),
                Metadata.name(object),
                Metadata.uid(object),
                Optional.of(object));
    }

    /** One of which only the reference is known. */
    public static Owner unknown(OwnerReference reference) {
        return new Owner(
                GroupVersionKind.of(reference.apiVersion(), reference.kind()),
                "",
                reference.name(),
                reference.uid(),
                Optional.empty());
    }

    public boolean is(String group, String kindName) {
        return kind.group().equals(group) && kind.kind().equals(kindName);
    }

    /** The whole tree; missing when it is not known. */
    JsonNode tree() {
        return object.isPresent() ? object.get() : MissingNode.getInstance();
    }

    JsonNode spec() {
        return tree().path("spec");
    }

    String label(String key) {
        return Metadata.label(tree(), key);
    }

    String annotation(String key) {
        return Metadata.annotation(tree(), key);
    }

    OwnerReference reference() {
        String apiVersion = kind.group().isEmpty() ? kind.version() : kind.group() + "/" + kind.version();
        return new OwnerReference(apiVersion, kind.kind(), name, uid, false, false);
    }
}
