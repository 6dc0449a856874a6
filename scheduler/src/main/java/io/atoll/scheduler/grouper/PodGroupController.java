package io.atoll.scheduler.grouper;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.Client.PatchType;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.PodPhase;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import io.atoll.scheduler.crd.SchedulingKeys;
import io.atoll.scheduler.crd.SchedulingTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps every pod of the scheduler in a PodGroup, made and kept up to date for it. Keys name pods; any number of workers.
 *
 * <p>Groups that their users made are left alone, and so are pods that name one. Several pods of one group may be worked
 * on at once: the one that comes second finds the group there, or loses the race and tries again.
 */
public final class PodGroupController implements AutoCloseable {
    private static final int WORKERS_MAX = 8;
    private static final String WARNING = "PodGrouperWarning";

    private final Client client;
    private final ObjectCache cache;
    private final GrouperOptions options;
    private final Grouper grouper;
    private final OwnerChains owners;
    private final EventRecorder events;
    private final Controller<ObjectKey> controller;
    private final List<ObjectCache.Subscription> subscriptions = new ArrayList<>();

    private PodGroupController(Client client, ObjectCache cache, Timers timers, GrouperOptions options) {
        this.client = client;
        this.cache = cache;
        this.options = options;
        this.grouper = new Grouper(options);
        this.owners = new OwnerChains(client, cache);
        this.events = new EventRecorder(client, "pod-grouper", timers);
        this.controller = new Controller<>("pod-grouper", timers, WORKERS_MAX, this::reconcile);
    }

    /** Starts to group; the PodGroup definition must be installed. The client and the cache stay the caller's. */
    public static PodGroupController start(Client client, ObjectCache cache, Timers timers, GrouperOptions options) {
        PodGroupController started = new PodGroupController(client, cache, timers, options);
        started.subscriptions.add(cache.subscribe(BuiltInTypes.PODS, started::podChanged));
        started.subscriptions.add(cache.subscribe(SchedulingTypes.POD_GROUPS, started::groupChanged));
        return started;
    }

    /** True when every pod has been looked at; those that wait for another try do not count. */
    public boolean idle() {
        return controller.idle();
    }

    @Override
    public void close() {
        subscriptions.forEach(ObjectCache.Subscription::close);
        controller.close();
        owners.close();
    }

    /** What a pod's status says makes no difference to its group. */
    private void podChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (after == null) {
            return;
        }
        boolean same = before != null
                && before.metadata().labels().equals(after.metadata().labels())
                && before.metadata().ownerReferences().equals(after.metadata().ownerReferences())
                && Metadata.annotations(before.tree()).equals(Metadata.annotations(after.tree()));
        if (!same) {
            controller.enqueue(ObjectKey.of(after));
        }
    }

    /** A group that was deleted too early comes back. */
    private void groupChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (after != null || before == null) {
            return;
        }
        for (StoredObject pod : cache.list(BuiltInTypes.PODS, before.namespace())) {
            if (Metadata.annotation(pod.tree(), SchedulingKeys.POD_GROUP).equals(before.name())) {
                controller.enqueue(ObjectKey.of(pod));
            }
        }
    }

    private Reconciler.Result reconcile(ObjectKey key) {
        Optional<ObjectNode> found =
                cache.get(BuiltInTypes.PODS, key.namespace(), key.name()).map(StoredObject::tree);
        if (found.isEmpty() || !isOurs(found.get())) {
            return Reconciler.Result.DONE;
        }
        ObjectNode pod = found.get();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        try {
            Workload workload = owners.workload(pod);
            Grouping grouping = grouper.group(workload, owners);
            if (!choseItself(workload, grouping)) {
                ensureGroup(grouping);
                PodGroupObjects.podPatch(pod, grouping).ifPresent(patch -> patch(pod, patch));
            }
            return Reconciler.Result.DONE;
        } catch (ApiException e) {
            if (e.reason() == StatusReason.AlreadyExists) {
                return Reconciler.Result.RETRY; // another pod of the group came first
            }
            throw e;
        } catch (GroupingException e) {
            events.warning(pod, WARNING, String.valueOf(e.getMessage()));
            return Reconciler.Result.RETRY;
        }
    }

    private boolean isOurs(ObjectNode pod) {
        return options.schedulerNames()
                        .contains(pod.path("spec").path("schedulerName").asString(""))
                && !Metadata.namespace(pod).equals(SchedulingKeys.RESERVATION_NAMESPACE)
                && !Metadata.deleting(pod)
                && !PodPhase.terminal(pod);
    }

    /**
     * Whether the pod names a group that its user chose. One that runs stays where it is counted, whoever made that
     * group.
     */
    private boolean choseItself(Workload workload, Grouping grouping) {
        String named = workload.annotation(SchedulingKeys.POD_GROUP);
        if (named.isEmpty() || named.equals(grouping.name())) {
            return false;
        }
        Optional<ObjectNode> group = client.find(SchedulingTypes.POD_GROUPS, grouping.namespace(), named);
        boolean bound =
                !workload.pod().path("spec").path("nodeName").asString("").isEmpty();
        return workload.owners().isEmpty()
                || group.map(present -> bound || !PodGroupObjects.isGrouped(present))
                        .orElse(false);
    }

    private void ensureGroup(Grouping grouping) {
        Optional<ObjectNode> existing = client.find(SchedulingTypes.POD_GROUPS, grouping.namespace(), grouping.name());
        if (existing.isEmpty()) {
            client.create(SchedulingTypes.POD_GROUPS, grouping.namespace(), PodGroupObjects.create(grouping));
        } else if (PodGroupObjects.isGrouped(existing.get())) {
            PodGroupObjects.update(existing.get(), grouping)
                    .ifPresent(changed -> client.update(SchedulingTypes.POD_GROUPS, changed));
        }
    }

    /** The UID makes sure that a new pod of the same name is not meant. */
    private void patch(ObjectNode pod, ObjectNode patch) {
        Json.child(patch, "metadata").put("uid", Metadata.uid(pod));
        client.patch(BuiltInTypes.PODS, Metadata.namespace(pod), Metadata.name(pod), "", PatchType.MERGE, patch);
    }
}
