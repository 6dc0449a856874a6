package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.Change;
import io.atoll.apiserver.watch.ChangeListener;
import io.atoll.apiserver.watch.Snapshot;
import io.atoll.apiserver.watch.WatchCache;
import io.atoll.base.Timers;
import io.atoll.model.GroupResource;
import io.atoll.model.Metadata;
import io.atoll.model.pod.ByteSink;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Waits for a container to start, so that a log can be followed right after its pod was made. Looks again at each change
 * of the pod; guarded by the instance's lock.
 */
final class ContainerStart implements ChangeListener {
    /** Longer than most pods wait for a place; whoever follows a log for longer is told what it waits for. */
    static final Duration WAIT_MAX = Duration.ofMinutes(10);

    private static final List<String> STATUS_LISTS =
            List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");
    /** What a container waits for that has not failed. */
    private static final Set<String> ON_ITS_WAY = Set.of("", "ContainerCreating", "PodInitializing");

    private final GroupResource resource;
    private final String uid;
    private final String path;
    private final String container;
    private ObjectNode latest;
    private boolean over;

    private ContainerStart(GroupResource resource, ObjectNode pod, String container) {
        this.resource = resource;
        this.uid = Metadata.uid(pod);
        this.path = WatchCache.path(Metadata.namespace(pod), Metadata.name(pod));
        this.container = container;
        this.latest = pod;
    }

    /**
     * Blocks until the container has started or cannot, the pod ends, the reader goes or {@link #WAIT_MAX} is over.
     *
     * @return the pod as it is then
     */
    static ObjectNode await(
            Registry registry, GroupResource resource, ObjectNode pod, String container, ByteSink reader) {
        if (isDecided(pod, container)) {
            return pod;
        }
        ContainerStart start = new ContainerStart(resource, pod, container);
        return start.await(registry, reader);
    }

    private ObjectNode await(Registry registry, ByteSink reader) {
        reader.onClose(this::giveUp);
        Timers.Pending limit = registry.timers().after(WAIT_MAX, this::giveUp);
        WatchCache.Follower follower = registry.cache().followFromNow(resource, Metadata.namespace(latest), this);
        try {
            synchronized (this) {
                while (!over && !reader.closed()) {
                    wait();
                }
                return latest;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return latest;
        } finally {
            follower.close();
            limit.cancel();
        }
    }

    @Override
    public void onPresent(Snapshot present) {
        CachedObject found = null;
        for (CachedObject object : present.objects()) {
            if (object.path().equals(path)) {
                found = object;
            }
        }
        look(found);
    }

    @Override
    public void onChange(Change change) {
        if (change.object().path().equals(path)) {
            look(change.type() == Change.Type.DELETED ? null : change.object());
        }
    }

    @Override
    public void onProgress(long revision) {}

    @Override
    public void onClosed() {
        giveUp();
    }

    private synchronized void look(@Nullable CachedObject object) {
        ObjectNode pod = object == null ? null : object.tree();
        if (pod == null || !Metadata.uid(pod).equals(uid)) {
            giveUp();
            return;
        }
        latest = pod;
        if (isDecided(pod, container)) {
            giveUp();
        }
    }

    private synchronized void giveUp() {
        over = true;
        notifyAll();
    }

    /** Whether waiting longer changes nothing. */
    private static boolean isDecided(ObjectNode pod, String container) {
        String phase = pod.path("status").path("phase").asString("");
        if (Metadata.deleting(pod) || phase.equals("Succeeded") || phase.equals("Failed")) {
            return true;
        }
        for (String list : STATUS_LISTS) {
            for (JsonNode status : pod.path("status").path(list)) {
                if (status.path("name").asString("").equals(container)) {
                    return hasStarted(status) || hasFailed(status.path("state").path("waiting"));
                }
            }
        }
        return false;
    }

    private static boolean hasStarted(JsonNode status) {
        return status.path("state").has("running")
                || status.path("state").has("terminated")
                || status.path("lastState").has("terminated");
    }

    private static boolean hasFailed(JsonNode waiting) {
        return !ON_ITS_WAY.contains(waiting.path("reason").asString(""));
    }
}
