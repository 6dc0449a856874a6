package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import tools.jackson.databind.node.ObjectNode;

/** PersistentVolumes: new ones wait for their controller. */
final class VolumeStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.STATUS_CHANGES_METADATA);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void prepareCreate(Write write, ObjectNode volume) {
        volume.putObject("status").put("phase", "Pending");
    }
}
