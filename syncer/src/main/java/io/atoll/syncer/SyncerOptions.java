package io.atoll.syncer;

import io.atoll.base.Timers;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.syncer.translate.PodTranslator.ApiAddress;
import java.util.Optional;

/**
 * What a syncer is told besides the configuration of its tenant. Immutable.
 *
 * @param apiAddress where pods reach the tenant's API server; empty when they cannot
 * @param owner a host object in the tenant's host namespace that all others but claims go with
 */
public record SyncerOptions(Optional<ApiAddress> apiAddress, Optional<OwnerReference> owner, Timers timers) {
    public static SyncerOptions defaults() {
        return new SyncerOptions(Optional.empty(), Optional.empty(), Timers.system());
    }

    public SyncerOptions withApiAddress(String host, int port) {
        return new SyncerOptions(Optional.of(new ApiAddress(host, port)), owner, timers);
    }

    public SyncerOptions withOwner(OwnerReference reference) {
        return new SyncerOptions(apiAddress, Optional.of(reference), timers);
    }
}
