package io.atoll.controllers;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.Discovery;
import io.atoll.client.ObjectCache;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The built-in controllers of one cluster, running. Any thread may close it.
 *
 * <p>They hold no thread while nothing changes. The client and the cache stay their owner's to close.
 */
public final class BuiltInControllers implements AutoCloseable {
    /** Which controllers there are, by what kube-controller-manager calls them. */
    public enum Name {
        NAMESPACE,
        SERVICE_ACCOUNT,
        ROOT_CA_PUBLISHER,
        SERVICE_ACCOUNT_TOKEN,
        CLUSTER_ROLE_AGGREGATION,
        REPLICA_SET,
        DEPLOYMENT,
        JOB,
        ENDPOINTS,
        TTL_AFTER_FINISHED,
        STATEFUL_SET,
        CRON_JOB,
        DAEMON_SET,
        DISRUPTION,
        RESOURCE_QUOTA,
        POD_GARBAGE_COLLECTOR,
        GARBAGE_COLLECTOR
    }

    /**
     * How to run them.
     *
     * @param caBundle PEM, published to every namespace; empty for none
     */
    public record Options(Set<Name> names, String caBundle, Timers timers) {
        public Options {
            names = Set.copyOf(names);
        }

        /** All controllers in real time. */
        public static Options all(String caBundle) {
            return new Options(EnumSet.allOf(Name.class), caBundle, Timers.system());
        }

        public Options only(Name... others) {
            return new Options(Set.of(others), caBundle, timers);
        }

        public Options without(Name... others) {
            EnumSet<Name> kept = EnumSet.noneOf(Name.class);
            kept.addAll(names);
            kept.removeAll(List.of(others));
            return new Options(kept, caBundle, timers);
        }
    }

    private final SharedIndexes indexes;
    private final List<BuiltInController> controllers = new ArrayList<>();

    private BuiltInControllers(ControllerContext context, Options options) {
        indexes = context.indexes();
        Discovery discovery = new Discovery(context.client());
        for (Name name : Name.values()) {
            if (options.names().contains(name)) {
                add(name, context, discovery, options);
            }
        }
    }

    public static BuiltInControllers start(Client client, ObjectCache cache, Options options) {
        ControllerContext context = new ControllerContext(client, cache, options.timers(), new SharedIndexes(cache));
        BuiltInControllers running = new BuiltInControllers(context, options);
        running.controllers.forEach(BuiltInController::start);
        running.indexes.start();
        return running;
    }

    /** True when no controller has anything to do now; what is due later does not count. */
    public boolean idle() {
        return controllers.stream().allMatch(BuiltInController::idle);
    }

    @Override
    public void close() {
        controllers.forEach(BuiltInController::close);
        indexes.close();
    }

    private void add(Name name, ControllerContext context, Discovery discovery, Options options) {
        switch (name) {
            case NAMESPACE -> controllers.add(new NamespaceController(context, discovery));
            case SERVICE_ACCOUNT -> controllers.add(new ServiceAccountController(context));
            case ROOT_CA_PUBLISHER -> {
                if (!options.caBundle().isEmpty()) {
                    controllers.add(new RootCaController(context, options.caBundle()));
                }
            }
            case SERVICE_ACCOUNT_TOKEN -> controllers.add(new TokenController(context, options.caBundle()));
            case CLUSTER_ROLE_AGGREGATION -> controllers.add(new ClusterRoleAggregationController(context));
            case REPLICA_SET -> controllers.add(new ReplicaSetController(context));
            case DEPLOYMENT -> controllers.add(new DeploymentController(context));
            case JOB -> {
                controllers.add(new JobController(context));
                controllers.add(new JobOrphanController(context));
            }
            case ENDPOINTS -> controllers.add(new EndpointsController(context));
            case TTL_AFTER_FINISHED -> controllers.add(new TtlAfterFinishedController(context));
            case STATEFUL_SET -> controllers.add(new StatefulSetController(context));
            case CRON_JOB -> controllers.add(new CronJobController(context));
            case DAEMON_SET -> controllers.add(new DaemonSetController(context));
            case DISRUPTION -> controllers.add(new DisruptionController(context));
            case RESOURCE_QUOTA -> controllers.add(new ResourceQuotaController(context));
            case POD_GARBAGE_COLLECTOR -> controllers.add(new PodGarbageController(context));
            case GARBAGE_COLLECTOR -> controllers.add(new GarbageCollector(context, discovery));
        }
    }
}
