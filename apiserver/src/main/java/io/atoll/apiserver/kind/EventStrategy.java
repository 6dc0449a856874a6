package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Metadata;
import tools.jackson.databind.node.ObjectNode;

/** Events: gone after an hour. */
final class EventStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.CREATE_ON_UPDATE);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void validate(ObjectNode event, Mistakes mistakes) {
        String about = event.path("involvedObject").path("namespace").asString("");
        String namespace = Metadata.namespace(event);
        if (!about.isEmpty() && !about.equals(namespace)) {
            mistakes.invalid("involvedObject.namespace", about, "does not match event.namespace");
        } else if (about.isEmpty() && !namespace.equals("default") && !namespace.equals("kube-system")) {
            mistakes.invalid("involvedObject.namespace", about, "does not match event.namespace");
        }
    }

    @Override
    public void committed(Write write) {
        write.registry().eventExpiry().written();
    }
}
