package io.atoll.scheduler;

import io.atoll.base.Backoff;
import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Metadata;
import io.atoll.model.pod.PodPhase;
import io.atoll.reconcile.ObjectKey;
import io.atoll.scheduler.core.ClusterSnapshot;
import io.atoll.scheduler.core.NodeSpec;
import io.atoll.scheduler.core.PendingPod;
import io.atoll.scheduler.core.PlacedPod;
import io.atoll.scheduler.core.Plan;
import io.atoll.scheduler.core.Planner;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Places the pods of a cluster: takes what has changed, brings the snapshot up to date, plans, binds.
 *
 * <p>One loop owns the snapshot and the queue. It runs on a virtual thread that exists only while there are changes. A
 * pod that was bound counts on its node at once (it is assumed there), though its binding is still on the way.
 */
public final class Scheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    private static final Backoff BIND_BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    private record Assumed(PodQueue.Queued queued, int failures) {}

    private final SchedulerOptions options;
    private final Timers timers;
    private final Binder binder;
    private final Reporter reporter;
    private final Changes changes = new Changes(this::wake);
    private final AtomicBoolean running = new AtomicBoolean(true); // until everything that is there has been read
    private volatile boolean closed;

    private final ClusterSnapshot snapshot = new ClusterSnapshot();
    private final PodQueue queue = new PodQueue();
    private final Map<ObjectKey, Assumed> assumed = new HashMap<>();
    private boolean roomAppeared;
    private boolean podsMoved;

    private Scheduler(Client host, Timers timers, SchedulerOptions options) {
        this.options = options;
        this.timers = timers;
        this.binder = new Binder(host, timers, options.bindsMax(), changes::add);
        this.reporter = new Reporter(host, timers, options.reportsMax());
    }

    /** Starts to schedule; nothing is bound before the cache's nodes and pods have all been read. */
    public static Scheduler start(Client host, ObjectCache hostCache, Timers timers, SchedulerOptions options) {
        Scheduler scheduler = new Scheduler(host, timers, options);
        scheduler.changes.subscribe(hostCache);
        scheduler.running.set(false);
        scheduler.wake();
        return scheduler;
    }

    @Override
    public void close() {
        closed = true;
        changes.close();
        binder.close();
        reporter.close();
    }

    private void wake() {
        if (!closed && running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("scheduler").start(this::run);
        }
    }

    private void run() {
        try {
            while (!closed && !changes.isEmpty()) {
                apply(changes.take());
                schedule();
            }
        } catch (RuntimeException | Error e) {
            // our bug: the snapshot may be wrong now, and a wrong one binds pods to full nodes
            LOG.error("the scheduler stopped", e);
            close();
            throw e;
        }
        running.set(false);
        // a change may have come after the last look, when the loop still seemed to run
        if (!changes.isEmpty()) {
            wake();
        }
    }

    // ---- the loop ----

    private void apply(Changes.Batch batch) {
        batch.namespaces()
                .forEach((key, latest) -> latest.ifPresentOrElse(
                        namespace -> snapshot.putNamespace(key.name(), Metadata.labels(namespace.tree())),
                        () -> snapshot.removeNamespace(key.name())));
        batch.nodes().forEach(this::applyNode);
        batch.pods().forEach(this::applyPod);
        batch.outcomes().forEach(this::applyOutcome);
        batch.retries().forEach(queue::endBackoff);
    }

    private void applyNode(ObjectKey key, Optional<StoredObject> latest) {
        if (latest.isEmpty()) {
            snapshot.removeNode(key.name());
            roomAppeared = true; // there is less, but what waiting pods are told counts the nodes
            return;
        }
        NodeSpec spec = NodeReader.read(latest.get().tree());
        if (!snapshot.findNode(spec.name()).equals(Optional.of(spec))) {
            snapshot.putNode(spec);
            roomAppeared = true;
        }
    }

    private void applyPod(ObjectKey key, Optional<StoredObject> latest) {
        if (latest.isEmpty()) {
            forget(key);
            return;
        }
        ObjectNode pod = latest.get().tree();
        String uid = Metadata.uid(pod);
        Assumed assumption = assumed.get(key);
        if (assumption != null && !assumption.queued.pod().uid().equals(uid)) {
            forget(key);
            assumption = null;
        }
        if (PodPhase.terminal(pod)) {
            forget(key);
        } else if (!pod.path("spec").path("nodeName").asString("").isEmpty()) {
            assumed.remove(key);
            place(key, pod);
        } else if (assumption == null) {
            enqueue(key, pod);
        }
    }

    private void place(ObjectKey key, ObjectNode pod) {
        if (queue.remove(key)) {
            reporter.forget(key);
        }
        PlacedPod placed = new PlacedPod(
                key.toString(),
                Metadata.uid(pod),
                key.namespace(),
                Metadata.labels(pod),
                snapshot.classOf(PodReader.shape(pod)),
                pod.path("spec").path("nodeName").asString(""),
                Metadata.deleting(pod));
        Optional<PlacedPod> before = snapshot.findPod(placed.key());
        if (!before.equals(Optional.of(placed))) {
            snapshot.putPod(placed);
            podsMoved = true;
            roomAppeared |= before.isPresent()
                    && (!before.get().node().equals(placed.node())
                            || before.get().podClass() != placed.podClass());
        }
    }

    private void enqueue(ObjectKey key, ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        String schedulerName = spec.path("schedulerName").asString("default-scheduler");
        boolean ours = options.schedulerNames().contains(schedulerName);
        if (!ours || Metadata.deleting(pod) || !spec.path("schedulingGates").isEmpty()) {
            forget(key);
            return;
        }
        PendingPod pending = new PendingPod(
                key.toString(),
                Metadata.uid(pod),
                key.namespace(),
                Metadata.labels(pod),
                spec.path("priority").asInt(0),
                Metadata.creationTimestamp(pod),
                snapshot.classOf(PodReader.shape(pod)));
        queue.put(new PodQueue.Queued(key, schedulerName, pending));
    }

    private void applyOutcome(Binder.Outcome outcome) {
        Binder.Request request = outcome.request();
        Assumed assumption = assumed.get(request.pod());
        boolean stillAssumed =
                assumption != null && assumption.queued.pod().uid().equals(request.uid());
        switch (outcome) {
            case Binder.Outcome.Bound _ -> reporter.scheduled(request);
            case Binder.Outcome.Failed(Binder.Request _, String message) -> {
                LOG.warn("binding {} to {} failed: {}", request.pod(), request.node(), message);
                // a pod that is gone leaves the queue when the cache says so
                if (assumption != null && stillAssumed) {
                    forget(request.pod());
                    int failures = queue.putBack(assumption.queued, assumption.failures);
                    timers.after(BIND_BACKOFF.after(failures), () -> changes.addRetry(request.pod()));
                }
            }
        }
    }

    private void forget(ObjectKey key) {
        assumed.remove(key);
        if (queue.remove(key)) {
            reporter.forget(key);
        }
        roomAppeared |= snapshot.removePod(key.toString());
    }

    private void schedule() {
        if (roomAppeared) {
            queue.wake(_ -> true);
        } else if (podsMoved) {
            queue.wake(pod -> pod.podClass().dependsOnPods());
        }
        roomAppeared = false;
        podsMoved = false;
        List<PendingPod> ready = queue.takeReady();
        while (!ready.isEmpty()) {
            Plan plan = Planner.plan(snapshot, ready, options.seed());
            plan.bindings().forEach(this::bind);
            plan.waiting().forEach(this::keepWaiting);
            if (plan.bindings().isEmpty()) {
                return;
            }
            // what was just placed may be what others want to be near
            queue.wake(pod -> pod.podClass().dependsOnPods());
            ready = queue.takeReady();
        }
    }

    private void bind(Plan.Binding binding) {
        PodQueue.Queued queued = queued(binding.pod());
        assumed.put(queued.key(), new Assumed(queued, queue.failures(queued.key())));
        queue.remove(queued.key());
        snapshot.putPod(binding.pod().on(binding.node()));
        binder.bind(new Binder.Request(queued.key(), binding.pod().uid(), binding.node(), queued.schedulerName()));
    }

    private void keepWaiting(Plan.Waiting waiting) {
        PodQueue.Queued queued = queued(waiting.pod());
        reporter.waits(
                queued.key(),
                waiting.pod().uid(),
                queued.schedulerName(),
                waiting.diagnosis().message());
    }

    private PodQueue.Queued queued(PendingPod pod) {
        int slash = pod.key().indexOf('/');
        ObjectKey key = new ObjectKey(pod.namespace(), pod.key().substring(slash + 1));
        return queue.find(key).orElseThrow(() -> new AssertionError(key + " is not queued"));
    }
}
