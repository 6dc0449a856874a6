package io.atoll.apiserver;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.model.pod.PodStreams;
import io.atoll.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a cluster is made of. Immutable.
 *
 * @param store the cluster's own; closed with the cluster
 * @param extensions installed in order
 * @param authenticator made once the cluster can be read
 * @param podStreams empty when nothing runs pods
 */
public record ClusterOptions(
        Store store,
        List<Extension> extensions,
        Function<ClusterContext, Authenticator> authenticator,
        Optional<PodStreams> podStreams,
        InstantSource clock) {

    public ClusterOptions {
        extensions = List.copyOf(extensions);
    }

    /** A cluster that trusts nobody and lets its in-process callers do everything. */
    public static ClusterOptions of(Store store) {
        return new ClusterOptions(
                store, List.of(), _ -> (_, _) -> Optional.empty(), Optional.empty(), InstantSource.system());
    }

    public ClusterOptions withExtensions(List<Extension> others) {
        return new ClusterOptions(store, others, authenticator, podStreams, clock);
    }

    public ClusterOptions withAuthenticator(Function<ClusterContext, Authenticator> other) {
        return new ClusterOptions(store, extensions, other, podStreams, clock);
    }

    public ClusterOptions withPodStreams(PodStreams streams) {
        return new ClusterOptions(store, extensions, authenticator, Optional.of(streams), clock);
    }

    public ClusterOptions withClock(InstantSource other) {
        return new ClusterOptions(store, extensions, authenticator, podStreams, other);
    }
}
