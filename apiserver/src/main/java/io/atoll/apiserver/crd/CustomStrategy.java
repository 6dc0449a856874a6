package io.atoll.apiserver.crd;

import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import tools.jackson.databind.node.ObjectNode;

/**
 * Custom resources.
 *
 * @param terminating whether their definition is being deleted
 */
record CustomStrategy(boolean terminating) implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.GENERATION, Trait.CONDITIONAL_UPDATE);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void prepareCreate(Write write, ObjectNode object) {
        if (terminating) {
            throw new ApiException(
                    StatusReason.MethodNotAllowed,
                    "create not allowed while custom resource definition is terminating");
        }
    }
}
