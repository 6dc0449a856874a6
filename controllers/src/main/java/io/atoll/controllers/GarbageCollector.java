package io.atoll.controllers;

import io.atoll.base.Backoff;
import io.atoll.client.Discovery;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.Reconciler;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects whose owners are gone, and carries out foreground deletion and orphaning. Follows every served type,
 * custom ones as they come and go.
 */
final class GarbageCollector implements BuiltInController, Reconciler<GarbageCollector.Task> {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);
    private static final int WORKERS_MAX = 20;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(60));
    private static final Duration SETTLE = Duration.ofMillis(200);

    /** Events come in numbers and have no owners worth following. */
    private static final Set<String> IGNORED = Set.of("events");

    /** What there is to do. */
    sealed interface Task {
        /** See whether an object with owners may stay. */
        record CheckDependent(String uid) implements Task {}

        /** Carry out what an owner's finalizers ask for. */
        record FinishOwner(ResourceType type, String namespace, String name) implements Task {}

        /** See which types are served. */
        record Refresh() implements Task {}
    }

    private final ObjectCache cache;
    private final ServedTypes types;
    private final OwnershipGraph graph = new OwnershipGraph();
    private final GarbageCollection collection;
    private final Controller<Task> controller;
    private final Map<String, ObjectCache.Subscription> subscriptions = new ConcurrentHashMap<>();
    private ObjectCache.@Nullable Subscription definitions;
    private volatile boolean closed;

    GarbageCollector(ControllerContext context, Discovery discovery) {
        cache = context.cache();
        types = new ServedTypes(discovery);
        OwnerLookup owners = new OwnerLookup(context.client(), cache, types);
        collection =
                new GarbageCollection(context.client(), graph, owners, context.events("garbage-collector-controller"));
        controller = new Controller<>("garbage-collector", context.timers(), BACKOFF, WORKERS_MAX, this);
    }

    @Override
    public void start() {
        controller.enqueue(new Task.Refresh());
        definitions = cache.subscribe(
                Kinds.CUSTOM_RESOURCE_DEFINITIONS,
                // A definition is served a moment after it is written.
                (before, after) -> controller.enqueueAfter(new Task.Refresh(), SETTLE));
    }

    @Override
    public boolean idle() {
        return controller.idle();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (definitions != null) {
            definitions.close();
        }
        subscriptions.values().forEach(ObjectCache.Subscription::close);
        controller.close();
    }

    @Override
    public Result reconcile(Task task) {
        return switch (task) {
            case Task.CheckDependent(String uid) -> checkDependent(uid);
            case Task.FinishOwner(ResourceType type, String namespace, String name) ->
                finishOwner(type, namespace, name);
            case Task.Refresh() -> refresh();
        };
    }

    private Result checkDependent(String uid) {
        OwnershipGraph.Dependent dependent = graph.find(uid).orElse(null);
        if (dependent == null) {
            return Result.DONE;
        }
        // Looked at first: an owner seen to exist must be one whose end will be heard of.
        boolean heard = dependent.owners().stream().allMatch(this::follows);
        boolean told = collection.check(dependent);
        return told && heard ? Result.DONE : Result.RETRY;
    }

    private boolean follows(OwnerReference owner) {
        Optional<ResourceType> type = types.find(owner.apiVersion(), owner.kind());
        if (type.isEmpty()
                || IGNORED.contains(type.get().resource())
                || subscriptions.containsKey(type.get().groupResource().toString())) {
            return type.isPresent();
        }
        controller.enqueue(new Task.Refresh());
        return false;
    }

    private Result finishOwner(ResourceType type, String namespace, String name) {
        List<OwnershipGraph.Dependent> blocking = collection.finish(type, namespace, name);
        blocking.forEach(dependent -> controller.enqueue(new Task.CheckDependent(dependent.uid())));
        return Result.DONE;
    }

    private synchronized Result refresh() {
        Map<String, ResourceType> served = new HashMap<>();
        for (ResourceType type : types.refresh()) {
            if (!IGNORED.contains(type.resource())) {
                served.put(type.groupResource().toString(), type);
            }
        }
        for (String gone : Set.copyOf(subscriptions.keySet())) {
            if (!served.containsKey(gone)) {
                ObjectCache.Subscription subscription = subscriptions.remove(gone);
                if (subscription != null) {
                    subscription.close();
                }
            }
        }
        served.forEach((name, type) -> {
            if (!closed && !subscriptions.containsKey(name)) {
                subscriptions.put(name, cache.subscribe(type, (before, after) -> onChange(type, before, after)));
            }
        });
        return Result.DONE;
    }

    private void onChange(ResourceType type, @Nullable StoredObject before, @Nullable StoredObject after) {
        if (after == null) {
            if (before != null) {
                onGone(before);
            }
            return;
        }
        if (before != null && !before.metadata().uid().equals(after.metadata().uid())) {
            onGone(before);
        }
        List<OwnerReference> old =
                before == null ? List.of() : before.metadata().ownerReferences();
        if (graph.put(type, after)) {
            controller.enqueue(new Task.CheckDependent(after.metadata().uid()));
        }
        if (!old.equals(after.metadata().ownerReferences())) {
            old.forEach(owner -> enqueueOwner(after.namespace(), owner));
        }
        if (after.metadata().deleting()
                && GarbageCollection.hasDuty(after.metadata().finalizers())) {
            controller.enqueue(new Task.FinishOwner(type, after.namespace(), after.name()));
        }
    }

    private void onGone(StoredObject gone) {
        graph.remove(gone.metadata().uid());
        graph.dependents(gone.metadata().uid())
                .forEach(dependent -> controller.enqueue(new Task.CheckDependent(dependent.uid())));
        for (OwnerReference owner : gone.metadata().ownerReferences()) {
            enqueueOwner(gone.namespace(), owner);
        }
    }

    /** One dependent less may be what an owner's foreground deletion waits for. */
    private void enqueueOwner(String namespace, OwnerReference owner) {
        types.find(owner.apiVersion(), owner.kind())
                .ifPresentOrElse(
                        type -> controller.enqueue(
                                new Task.FinishOwner(type, type.namespaced() ? namespace : "", owner.name())),
                        () -> LOG.debug("owner of unknown kind {} {}", owner.apiVersion(), owner.kind()));
    }
}
