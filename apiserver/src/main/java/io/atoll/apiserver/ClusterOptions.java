package io.atoll.apiserver;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.base.Timers;
import io.atoll.model.pod.PodStreams;
import io.atoll.store.Store;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What a cluster is made of. Immutable.
 *
 * @param store the cluster's own; closed with the cluster
 * @param extensions installed in order
 * @param authenticator made once the cluster can be read
 * @param podStreams empty when nothing runs pods
 * @param random for UIDs and generated names
 */
public record ClusterOptions(
        Store store,
        List<Extension> extensions,
        Function<ClusterContext, Authenticator> authenticator,
        Optional<PodStreams> podStreams,
        Timers timers,
        RandomGenerator random) {

    private static final SecureRandom SECURE = new SecureRandom();

    public ClusterOptions {
        extensions = List.copyOf(extensions);
    }

    /** A cluster that trusts nobody from outside and lets its in-process callers do everything. */
    public static ClusterOptions of(Store store) {
        return new ClusterOptions(
                store, List.of(), _ -> (_, _) -> Optional.empty(), Optional.empty(), Timers.system(), SECURE);
    }

    public ClusterOptions withExtensions(List<Extension> others) {
        return new ClusterOptions(store, others, authenticator, podStreams, timers, random);
    }

    public ClusterOptions withAuthenticator(Function<ClusterContext, Authenticator> other) {
        return new ClusterOptions(store, extensions, other, podStreams, timers, random);
    }

    public ClusterOptions withPodStreams(PodStreams streams) {
        return new ClusterOptions(store, extensions, authenticator, Optional.of(streams), timers, random);
    }

    public ClusterOptions withTimers(Timers other) {
        return new ClusterOptions(store, extensions, authenticator, podStreams, other, random);
    }
}
