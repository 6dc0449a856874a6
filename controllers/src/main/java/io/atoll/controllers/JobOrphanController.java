package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.ObjectKey;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Lets pods go whose Job is gone, for nobody else will take the tracking finalizer off. Keys name pods. */
final class JobOrphanController extends KeyedController {
    private final JobFinalizers finalizers;

    JobOrphanController(ControllerContext context) {
        super(context, "job-orphan-controller");
        finalizers = new JobFinalizers(client);
        context.indexes().pods.subscribe((before, after) -> {
            if (after != null && tracked(after)) {
                enqueueIfOrphan(after);
            }
        });
        context.indexes().jobs.subscribe((before, after) -> {
            if (after == null && before != null) {
                context.indexes().pods.ownedBy(before.metadata().uid()).forEach(this::enqueue);
            }
        });
    }

    @Override
    public void start() {}

    private void enqueueIfOrphan(StoredObject pod) {
        if (pod.metadata().deleting() || pod.metadata().controller().isEmpty()) {
            enqueue(pod);
        }
    }

    private static boolean tracked(StoredObject pod) {
        return pod.metadata().finalizers().contains(JobPods.TRACKING_FINALIZER);
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<StoredObject> stored = find(Kinds.PODS, key).filter(JobOrphanController::tracked);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        StoredObject pod = stored.get();
        Optional<OwnerReference> owner =
                pod.metadata().controller().filter(reference -> reference.kind().equals("Job"));
        if (owner.isPresent() && jobExists(pod.namespace(), owner.get())) {
            return Result.DONE;
        }
        finalizers.release(pod.tree());
        return Result.DONE;
    }

    /** Asks the server: the cache may be behind. */
    private boolean jobExists(String namespace, OwnerReference owner) {
        Optional<ObjectNode> job = client.find(Kinds.JOBS, namespace, owner.name());
        return job.isPresent() && io.atoll.model.Metadata.uid(job.get()).equals(owner.uid());
    }
}
