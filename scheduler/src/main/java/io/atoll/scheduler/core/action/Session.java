package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.ClusterSnapshot;
import io.atoll.scheduler.core.PlacedPod;
import io.atoll.scheduler.core.Placer;
import io.atoll.scheduler.core.PodClass;
import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.job.TaskStatus;
import io.atoll.scheduler.core.queue.FairShare;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.QueueTree;
import io.atoll.scheduler.core.queue.ResourceVector;
import io.atoll.scheduler.core.topology.DomainSearch;
import io.atoll.scheduler.core.topology.DomainTree;
import io.atoll.scheduler.core.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one cycle sees and changes: nodes, queues and jobs, all of one moment. On the scheduler's thread.
 *
 * <p>Every change of a pod goes through {@link #set}, which keeps the snapshot, the queues and the job in step. When the
 * cycle is over, {@link #restore} takes all changes back: only what the API server confirms is true.
 */
public final class Session {
    /** Set after the key of a pod that is to move: it takes room in two places. */
    private static final String SUCCESSOR = "#successor";

    private final ClusterSnapshot snapshot;
    private final Placer placer;
    private final DomainSearch domains;
    private final QueueTree queues;
    private final List<Job> jobs;
    private final SessionOptions options;
    private final long now;
    private final ResourceVector total;
    private final Gpus gpus;
    private final Map<String, Topology> topologies;
    private final Map<String, DomainTree> trees;
    private final Map<Task, Eviction> evictions = new HashMap<>();
    private final Map<Task, Task.State> before = new LinkedHashMap<>();
    private final ResourceVector scratch = new ResourceVector();

    /** What a cycle is made of. */
    public static final class Input {
        private final ClusterSnapshot snapshot;
        private final Placer placer;
        private final QueueTree queues;
        private final Collection<Job> jobs;
        private Collection<Topology> topologies = List.of();
        private ResourceVector others = new ResourceVector();
        private Map<String, DomainTree> trees = new HashMap<>();

        /** @param queues with nothing allocated or requested yet */
        public Input(ClusterSnapshot snapshot, Placer placer, QueueTree queues, Collection<Job> jobs) {
            this.snapshot = snapshot;
            this.placer = placer;
            this.queues = queues;
            this.jobs = jobs;
        }

        /**
         * @param known all topologies
         * @param cache the domain trees of earlier cycles, brought up to date by this one
         */
        public Input topologies(Collection<Topology> known, Map<String, DomainTree> cache) {
            topologies = known;
            trees = cache;
            return this;
        }

        /** What pods take that belong to no job. */
        public Input others(ResourceVector taken) {
            others = taken;
            return this;
        }
    }

    /** @param now milliseconds since the epoch */
    public Session(Input input, SessionOptions options, long now) {
        this.snapshot = input.snapshot;
        this.placer = input.placer;
        this.domains = new DomainSearch(snapshot, placer);
        this.queues = input.queues;
        this.jobs = new ArrayList<>(input.jobs);
        this.jobs.sort(Comparator.comparing(Job::key));
        this.options = options;
        this.now = now;
        this.gpus = Gpus.of(snapshot);
        this.total = Totals.of(snapshot);
        total.subtract(input.others);
        this.topologies = new HashMap<>();
        input.topologies.forEach(topology -> topologies.put(topology.name(), topology));
        this.trees = input.trees;
        jobs.forEach(this::count);
        FairShare.divide(queues, total, options.kValue());
    }

    private void count(Job job) {
        Queue queue = queues.find(job.queue());
        if (queue == null) {
            return;
        }
        for (PodSet set : job.podSets()) {
            for (Task task : set.tasks()) {
                if (task.status().isAllocated()) {
                    use(task, task.place(), scratch);
                    queue.allocate(scratch, job.preemptible());
                    queue.request(scratch);
                } else if (task.status() == TaskStatus.PENDING) {
                    use(task, null, scratch);
                    queue.request(scratch);
                }
            }
        }
    }

    /** Runs the actions and says what they decided. */
    public CyclePlan run() {
        for (Action action : Action.values()) {
            if (options.actions().contains(action)) {
                run(action);
            }
        }
        return plan();
    }

    private void run(Action action) {
        switch (action) {
            case ALLOCATE -> new AllocateAction(this).run();
            case CONSOLIDATION -> new ConsolidationAction(this).run();
            case RECLAIM -> new ReclaimAction(this).run();
            case PREEMPT -> new PreemptAction(this).run();
            case STALE_GANG_EVICTION -> new StaleGangEvictionAction(this).run();
        }
    }

    private CyclePlan plan() {
        List<CyclePlan.Bind> binds = new ArrayList<>();
        List<CyclePlan.Evict> evicts = new ArrayList<>();
        List<CyclePlan.Nominate> nominates = new ArrayList<>();
        for (Task task : before.keySet()) {
            Place place = task.place();
            Eviction eviction = evictions.get(task);
            if (task.isEvicted() && eviction != null) {
                evicts.add(new CyclePlan.Evict(task, eviction, place));
            } else if (place != null && task.status() == TaskStatus.ALLOCATED) {
                binds.add(new CyclePlan.Bind(task, place));
            } else if (place != null && task.status() == TaskStatus.PIPELINED) {
                nominates.add(new CyclePlan.Nominate(task, place));
            }
        }
        return new CyclePlan(binds, evicts, nominates, new Explanation(this).waiting());
    }

    /** Takes back all that the cycle has changed. */
    public void restore() {
        before.forEach((task, state) -> set(task, state, null));
        before.clear();
        evictions.clear();
    }

    // ---- what the actions see ----

    public QueueTree queues() {
        return queues;
    }

    /** By key. */
    public List<Job> jobs() {
        return jobs;
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    Placer placer() {
        return placer;
    }

    DomainSearch domains() {
        return domains;
    }

    SessionOptions options() {
        return options;
    }

    long now() {
        return now;
    }

    /** What the cluster has for all jobs. */
    public ResourceVector total() {
        return total;
    }

    /** The leaf queue of a job; null when there is none of its name. */
    @Nullable
    Queue leaf(Job job) {
        Queue queue = queues.find(job.queue());
        return queue == null || !queue.isLeaf() ? null : queue;
    }

    /** The domains of a topology; null when there is none of its name. */
    @Nullable
    DomainTree domainTree(String topologyName) {
        Topology topology = topologies.get(topologyName);
        if (topology == null) {
            return null;
        }
        DomainTree known = trees.get(topologyName);
        if (known == null || !known.isOf(topology, snapshot)) {
            known = new DomainTree(snapshot, topology);
            trees.put(topologyName, known);
        }
        return known;
    }

    @Nullable
    Eviction eviction(Task task) {
        return evictions.get(task);
    }

    /** Whether this cycle has changed a pod. */
    boolean hasChanged(Task task) {
        Task.State known = before.get(task);
        return known != null && !known.equals(task.state());
    }

    /**
     * What a pod uses of its queue.
     *
     * @param place where; null where it has no place, and parts of GPUs in MiB are counted on the smallest GPU
     */
    void use(Task task, @Nullable Place place, ResourceVector into) {
        long memory = gpus.least();
        if (place != null && !task.pod().podClass().shape().gpuShare().isNone()) {
            memory = snapshot.findNode(place.node())
                    .map(node -> node.gpuMemoryMebibytes())
                    .orElse(memory);
        }
        set(into, task, memory);
    }

    /** What pods would use together at the least, wherever they go. */
    ResourceVector leastUse(Iterable<Task> tasks) {
        ResourceVector sum = new ResourceVector();
        for (Task task : tasks) {
            set(scratch, task, gpus.most());
            sum.add(scratch);
        }
        return sum;
    }

    private static void set(ResourceVector into, Task task, long gpuMemoryMebibytes) {
        PodClass podClass = task.pod().podClass();
        into.gpu = podClass.gpus(gpuMemoryMebibytes);
        into.cpu = podClass.cpu();
        into.memory = podClass.memory();
    }

    // ---- the one way to change ----

    void set(Task task, Task.State state, @Nullable Eviction eviction) {
        Task.State old = task.state();
        before.putIfAbsent(task, old);
        Queue queue = queues.find(task.job().queue());
        if (queue != null) {
            if (old.status().isAllocated()) {
                use(task, old.place(), scratch);
                queue.release(scratch, task.job().preemptible());
            }
            if (state.status().isAllocated()) {
                use(task, state.place(), scratch);
                queue.allocate(scratch, task.job().preemptible());
            }
        }
        task.set(state);
        if (eviction == null) {
            evictions.remove(task);
        } else {
            evictions.put(task, eviction);
        }
        put(task, task.key(), present(state), present(old));
        put(task, task.key() + SUCCESSOR, successor(state), successor(old));
    }

    private void put(Task task, String key, Task.@Nullable State state, Task.@Nullable State old) {
        if (Objects.equals(state, old)) {
            return;
        }
        Place place = state == null ? null : state.place();
        if (state == null || place == null) {
            snapshot.removePod(key);
            return;
        }
        PlacedPod.Hold hold = switch (state.status()) {
            case RELEASING -> PlacedPod.Hold.LEAVING;
            case PIPELINED -> PlacedPod.Hold.AWAITED;
            case ALLOCATED, BINDING, BOUND, RUNNING, PENDING, GATED, SUCCEEDED, FAILED -> PlacedPod.Hold.TAKEN;
        };
        snapshot.putPod(new PlacedPod(
                key,
                task.pod().uid(),
                task.pod().namespace(),
                task.pod().labels(),
                task.pod().podClass(),
                place.node(),
                hold,
                place.gpuGroups()));
    }

    /** How a pod in a state takes room where it is; null when it does not. */
    private static Task.@Nullable State present(Task.State state) {
        Task.State evicted = state.evicted();
        if (evicted != null) {
            return Task.State.of(TaskStatus.RELEASING, evicted.place());
        }
        return state.status().isActive() ? state : null;
    }

    /** How the successor of a pod in a state is promised room; null when it is not. */
    private static Task.@Nullable State successor(Task.State state) {
        return state.evicted() != null && state.status() == TaskStatus.PIPELINED ? state : null;
    }

    @Override
    public String toString() {
        return jobs.size() + " jobs at " + now;
    }
}
