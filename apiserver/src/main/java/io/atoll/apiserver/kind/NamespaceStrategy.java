package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.NameRule;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces: held by {@code spec.finalizers} until everything in them is gone. */
final class NamespaceStrategy implements Strategy {
    private static final Traits TRAITS =
            Traits.of(Traits.Trait.STATUS_CHANGES_METADATA).named(NameRule.LABEL);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode object) {
        Metadata.setLabel(object, "kubernetes.io/metadata.name", Metadata.name(object));
    }

    @Override
    public void prepareCreate(Write write, ObjectNode object) {
        object.putObject("status").put("phase", "Active");
        ArrayNode finalizers = Json.child(object, "spec").withArray("finalizers");
        for (var finalizer : finalizers) {
            if (finalizer.asString("").equals("kubernetes")) {
                return;
            }
        }
        finalizers.add("kubernetes");
    }

    @Override
    public void prepareUpdate(Write write, ObjectNode object, ObjectNode before) {
        if (!write.subresource().equals("finalize")) {
            object.set("spec", before.path("spec"));
        }
    }

    @Override
    public ObjectNode throughSubresource(Write write, ObjectNode sent, ObjectNode before) {
        ObjectNode namespace = before.deepCopy();
        Json.child(namespace, "spec").set("finalizers", Json.child(sent, "spec").withArray("finalizers"));
        return namespace;
    }

    @Override
    public void beginDelete(Write write, ObjectNode object) {
        Json.child(object, "status").put("phase", "Terminating");
    }

    @Override
    public boolean holdsDeletion(ObjectNode object) {
        return !object.path("spec").path("finalizers").isEmpty();
    }
}
