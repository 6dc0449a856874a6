package io.atoll.node;

import io.atoll.base.Backoff;
import io.atoll.base.Timers;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.pod.PodPhase;
import io.atoll.model.pod.PodResources;
import io.atoll.node.ContainerState.Role;
import io.atoll.node.PodStatusTree.Forced;
import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.PodRuntime;
import io.atoll.node.runtime.PodSite;
import io.atoll.node.runtime.SetupException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings one pod from bound to gone: admission, GPUs, volumes, the order of its containers, deadline, end. One reconcile
 * at a time; what it holds is read by streams from any thread. {@link ContainerStarts} starts what is due, {@link
 * PodStop} ends it.
 *
 * <p>It never waits: each call does what can be done now and says when to call again; exits of containers cause a call
 * of their own.
 */
final class PodLifecycle {
    private static final Duration VOLUME_REFRESH = Duration.ofSeconds(60);
    private static final Duration SETUP_RETRY_MAX = Duration.ofSeconds(30);

    private final String uid;
    private final HostedNode node;
    private final PodRuntime runtime;
    private final Path dir;
    private final Timers timers;
    private final PodReports reports;
    private final Runnable wake;
    private final String podIp;
    private final List<ContainerState> containers = new ArrayList<>();
    private final ContainerProbes probes;
    private final ContainerStarts starts;
    private final PodStop stop;

    private volatile ObjectNode pod;
    private Map<String, List<String>> devices = Map.of();
    private ObjectNode written;
    private @Nullable Forced forced;
    private @Nullable Instant startTime;
    private @Nullable Instant volumesAt;
    private int setupFailures;
    private @Nullable Instant setupNotBefore;
    private boolean released;
    /** Its last phase was written by an earlier agent: there is nothing to add. */
    private boolean overBefore;

    private boolean finished;

    PodLifecycle(
            ObjectNode pod,
            HostedNode node,
            PodRuntime runtime,
            Path dir,
            String podIp,
            NodeOptions options,
            PodReports reports,
            Runnable wake) {
        this.pod = pod;
        this.uid = Metadata.uid(pod);
        this.node = node;
        this.runtime = runtime;
        this.dir = dir;
        this.podIp = podIp;
        this.timers = options.timers();
        this.reports = reports;
        this.wake = wake;
        this.written = pod.path("status") instanceof ObjectNode status ? status.deepCopy() : Json.object();
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            Role role = PodResources.sidecar(container) ? Role.SIDECAR : Role.INIT;
            containers.add(new ContainerState((ObjectNode) container.deepCopy(), role));
        }
        for (JsonNode container : pod.path("spec").path("containers")) {
            containers.add(new ContainerState((ObjectNode) container.deepCopy(), Role.MAIN));
        }
        this.probes = new ContainerProbes(runtime, podIp, timers, reports, wake);
        Backoff crashBackoff = new Backoff(options.crashLoopBackoffInitial(), options.crashLoopBackoffMax());
        this.starts = new ContainerStarts(containers, this::site, runtime, probes, reports, crashBackoff, wake);
        this.stop = new PodStop(containers, this::site, runtime, probes, reports, timers, wake);
        recover();
    }

    String uid() {
        return uid;
    }

    String podIp() {
        return podIp;
    }

    List<ContainerState> containers() {
        return containers;
    }

    PodRuntime runtime() {
        return runtime;
    }

    /** Nothing is left to do for this pod, ever. */
    boolean finished() {
        return finished;
    }

    /** Takes over what an earlier agent left of this pod. */
    private void recover() {
        JsonNode status = pod.path("status");
        String started = status.path("startTime").asString("");
        startTime = started.isEmpty() ? null : instant(started);
        String phase = status.path("phase").asString("");
        if (PodPhase.terminal(phase)) {
            overBefore = true;
            forced = new Forced(
                    phase,
                    status.path("reason").asString(""),
                    status.path("message").asString(""));
        }
        for (ContainerState container : containers) {
            List<Attempt> attempts = runtime.adopt(site(), container.spec(), wake);
            if (!attempts.isEmpty()) {
                container.current = attempts.getLast();
                container.previous = attempts.size() > 1 ? attempts.get(attempts.size() - 2) : null;
                container.crashes = container.restartCount();
                probes.begin(site(), container);
            }
            for (String list : List.of("initContainerStatuses", "containerStatuses")) {
                for (JsonNode before : status.path(list)) {
                    if (before.path("name").asString("").equals(container.name())
                            && before.path("lastState").path("terminated") instanceof ObjectNode terminated) {
                        container.lastTerminated = terminated.deepCopy();
                    }
                }
            }
        }
        boolean wasHere = startTime != null || containers.stream().anyMatch(container -> container.current != null);
        if (wasHere && forced == null) {
            node.readmit(uid, PodDemand.of(pod));
            node.devices().grant(uid, PodDemand.gpus(pod)).ifPresent(granted -> devices = granted);
        }
    }

    /** Does what can be done now; tells how long until it must be called again, if nothing else happens. */
    Optional<Duration> sync(ObjectNode latest) {
        pod = latest;
        Instant now = timers.instant();
        boolean deleting = Metadata.deleting(latest);
        Optional<Duration> next;
        if (forced == null && !deleting) {
            admit(now);
        }
        if (forced == null && startTime != null && overdue(now)) {
            forced = new Forced(
                    "Failed", "DeadlineExceeded", "Pod was active on the node longer than the specified deadline");
        }
        if (deleting || forced != null) {
            next = stop.advance(now, Duration.ofSeconds(grace(latest, deleting)));
        } else {
            next = run(now);
        }
        if (over()) {
            release();
        }
        writeStatus(now);
        if (deleting && stop.nothingRuns()) {
            release();
            runtime.remove(site());
            reports.deletePod(latest);
            finished = true;
            return Optional.empty();
        }
        return next;
    }

    /** The pod's object is gone: ends its containers. True once nothing of it is left. */
    boolean abandon() {
        Instant now = timers.instant();
        stop.advance(now, Duration.ofSeconds(1));
        if (!stop.nothingRuns()) {
            return false;
        }
        release();
        runtime.remove(site());
        finished = true;
        return true;
    }

    /** How its containers end. */
    PodStop stop() {
        return stop;
    }

    private void admit(Instant now) {
        if (startTime != null) {
            return;
        }
        startTime = now;
        Optional<HostedNode.Rejection> rejection = node.admit(uid, PodDemand.of(pod));
        if (rejection.isPresent()) {
            reject(rejection.get().reason(), rejection.get().message());
            return;
        }
        Optional<Map<String, List<String>>> granted = node.devices().grant(uid, PodDemand.gpus(pod));
        if (granted.isEmpty()) {
            reject(
                    "UnexpectedAdmissionError",
                    "Pod was rejected: Allocate failed due to requested number of devices unavailable for "
                            + PodDemand.GPU + ". Requested: "
                            + PodDemand.gpus(pod).devices() + ", Available: "
                            + node.devices().free().size() + ", which is unexpected");
            return;
        }
        devices = granted.get();
    }

    private void reject(String reason, String message) {
        forced = new Forced("Failed", reason, message);
        reports.warning(pod, "", reason, message);
    }

    private boolean overdue(Instant now) {
        JsonNode seconds = pod.path("spec").path("activeDeadlineSeconds");
        Instant started = startTime;
        return seconds.isNumber() && started != null && !now.isBefore(started.plusSeconds(seconds.asLong()));
    }

    /** Starts what is due: init containers one after the other, then the containers. */
    private Optional<Duration> run(Instant now) {
        Optional<Duration> next = deadline(now);
        if (!volumes(now)) {
            return Optional.of(soonest(next, Duration.between(now, setupNotBefore == null ? now : setupNotBefore)));
        }
        if (volumesAt != null && runtime.probes()) {
            next = Optional.of(soonest(next, Duration.between(now, volumesAt.plus(VOLUME_REFRESH))));
        }
        for (ContainerState container : containers) {
            if (container.role() == Role.MAIN) {
                continue;
            }
            next = soonest(next, starts.advance(container, now));
            boolean passed = container.role() == Role.INIT ? container.succeeded() : container.started();
            if (!passed) {
                return next;
            }
        }
        for (ContainerState container : containers) {
            if (container.role() == Role.MAIN) {
                next = soonest(next, starts.advance(container, now));
            }
        }
        if (starts.mainOver()) {
            // Sidecars live as long as there is something beside them.
            endSidecars(now);
        }
        return next;
    }

    private Optional<Duration> deadline(Instant now) {
        JsonNode seconds = pod.path("spec").path("activeDeadlineSeconds");
        Instant started = startTime;
        return seconds.isNumber() && started != null
                ? Optional.of(positive(Duration.between(now, started.plusSeconds(seconds.asLong()))))
                : Optional.empty();
    }

    private boolean volumes(Instant now) {
        if (volumesAt != null && now.isBefore(volumesAt.plus(VOLUME_REFRESH))) {
            return true;
        }
        if (setupNotBefore != null && now.isBefore(setupNotBefore)) {
            return volumesAt != null;
        }
        try {
            runtime.prepare(site());
            volumesAt = now;
            setupFailures = 0;
            setupNotBefore = null;
            return true;
        } catch (SetupException e) {
            setupFailures++;
            setupNotBefore = now.plus(new Backoff(Duration.ofMillis(500), SETUP_RETRY_MAX).after(setupFailures));
            reports.warning(pod, "", e.reason(), String.valueOf(e.getMessage()));
            return volumesAt != null;
        }
    }

    private void endSidecars(Instant now) {
        if (containers.stream().anyMatch(container -> container.role() == Role.SIDECAR && container.running())) {
            stop.advance(now, Duration.ofSeconds(grace(pod, false)));
        }
    }

    private static long grace(ObjectNode pod, boolean deleting) {
        JsonNode own = pod.path("metadata").path("deletionGracePeriodSeconds");
        return deleting && own.isNumber()
                ? own.asLong()
                : pod.path("spec").path("terminationGracePeriodSeconds").asLong(30);
    }

    /** The pod has reached its last phase and nothing of it runs. */
    private boolean over() {
        if (!stop.nothingRuns()) {
            return false;
        }
        return PodPhase.terminal(PodStatusTree.phase(input(timers.instant())));
    }

    private void release() {
        if (!released) {
            released = true;
            node.release(uid);
        }
    }

    private void writeStatus(Instant now) {
        // A last phase is told only once nothing runs any more: then its resources are free.
        if (overBefore || (forced != null && !stop.nothingRuns())) {
            return;
        }
        ObjectNode status = PodStatusTree.of(input(now));
        if (same(written, status)) {
            return;
        }
        if (reports.writeStatus(pod, status)) {
            written = status;
        }
    }

    private static boolean same(ObjectNode written, ObjectNode status) {
        return Json.same(withoutNulls(written), withoutNulls(status));
    }

    private static ObjectNode withoutNulls(ObjectNode status) {
        ObjectNode copy = status.deepCopy();
        for (String absent : List.of("reason", "message")) {
            if (copy.path(absent).isNull()) {
                copy.remove(absent);
            }
        }
        for (JsonNode condition : copy.path("conditions")) {
            ((ObjectNode) condition)
                    .properties()
                    .removeIf(field -> field.getValue().isNull());
        }
        return copy;
    }

    private PodStatusTree.Input input(Instant now) {
        return new PodStatusTree.Input(
                pod,
                written,
                containers,
                forced,
                volumesAt != null,
                node.shape().address(),
                podIp,
                startTime == null ? now : startTime,
                now);
    }

    private PodSite site() {
        return new PodSite(
                pod,
                node.name(),
                node.shape().address(),
                podIp,
                dir,
                devices,
                node.shape().capacity());
    }

    private static Optional<Duration> soonest(Optional<Duration> left, Optional<Duration> right) {
        return right.isPresent() ? Optional.of(soonest(left, right.get())) : left;
    }

    private static Duration soonest(Optional<Duration> left, Duration right) {
        return left.isPresent() && left.get().compareTo(right) < 0 ? left.get() : positive(right);
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    private @Nullable Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw ApiException.badRequest("startTime " + text + ": " + e.getMessage());
        }
    }
}
