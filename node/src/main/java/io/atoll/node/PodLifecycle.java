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
import io.atoll.node.runtime.Exit;
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
 * Brings one pod from bound to gone: admission, GPUs, volumes, init containers, containers, restarts, deadline, end. One
 * reconcile at a time; what it holds is read by streams from any thread.
 *
 * <p>It never waits: each call does what can be done now and says when to call again; exits of containers cause a call
 * of their own.
 */
final class PodLifecycle {
    private static final Duration VOLUME_REFRESH = Duration.ofSeconds(60);
    private static final Duration SETUP_RETRY_MAX = Duration.ofSeconds(30);
    private static final int START_HOOK_SECONDS_MAX = 600;
    /** A container that ran this long starts over with the shortest backoff. */
    private static final Duration HEALTHY_RUN = Duration.ofMinutes(10);

    private final String uid;
    private final HostedNode node;
    private final PodRuntime runtime;
    private final Path dir;
    private final Timers timers;
    private final Backoff crashBackoff;
    private final PodReports reports;
    private final Runnable wake;
    private final String podIp;
    private final List<ContainerState> containers = new ArrayList<>();
    private final ContainerProbes probes;

    private volatile ObjectNode pod;
    private Map<String, List<String>> devices = Map.of();
    private ObjectNode written;
    private @Nullable Forced forced;
    private @Nullable Instant startTime;
    private @Nullable Instant volumesAt;
    private @Nullable Instant killAt;
    private int setupFailures;
    private @Nullable Instant setupNotBefore;
    private boolean stopHooksStarted;
    private volatile boolean stopHooksDone;
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
        this.crashBackoff = new Backoff(options.crashLoopBackoffInitial(), options.crashLoopBackoffMax());
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
            next = stop(now, Duration.ofSeconds(grace(latest, deleting)));
        } else {
            next = run(now);
        }
        if (over()) {
            release();
        }
        writeStatus(now);
        if (deleting && nothingRuns()) {
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
        stop(now, Duration.ofSeconds(1));
        if (!nothingRuns()) {
            return false;
        }
        release();
        runtime.remove(site());
        finished = true;
        return true;
    }

    /** Asks its containers to end; the next agent decides what becomes of the pod. */
    void terminateAll() {
        attempts().forEach(Attempt::terminate);
    }

    void killAll() {
        attempts().forEach(Attempt::kill);
    }

    boolean running() {
        return !nothingRuns();
    }

    private List<Attempt> attempts() {
        List<Attempt> attempts = new ArrayList<>();
        for (ContainerState container : containers) {
            Attempt attempt = container.current;
            if (attempt != null) {
                attempts.add(attempt);
            }
        }
        return attempts;
    }

    /** When to look again while containers end. */
    Duration untilKill() {
        return killAt == null ? Duration.ofSeconds(1) : positive(Duration.between(timers.instant(), killAt));
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
            next = soonest(next, advance(container, now));
            boolean passed = container.role() == Role.INIT ? container.succeeded() : container.started();
            if (!passed) {
                return next;
            }
        }
        for (ContainerState container : containers) {
            if (container.role() == Role.MAIN) {
                next = soonest(next, advance(container, now));
            }
        }
        if (mainOver()) {
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

    /** Starts a container, or starts it again, when it is its time. */
    private Optional<Duration> advance(ContainerState container, Instant now) {
        if (container.running()) {
            return Optional.empty();
        }
        Optional<Exit> exit = container.exit();
        if (exit.isPresent()) {
            if (!restarts(container, exit.get())) {
                container.waiting("", "");
                return Optional.empty();
            }
            if (container.startNotBefore == null) {
                scheduleRestart(container, exit.get());
            }
        }
        Instant due = container.startNotBefore;
        if (due != null && now.isBefore(due)) {
            return Optional.of(Duration.between(now, due));
        }
        return start(container, now);
    }

    private boolean restarts(ContainerState container, Exit exit) {
        String policy = pod.path("spec").path("restartPolicy").asString("Always");
        return switch (container.role()) {
            case SIDECAR -> !mainOver();
            case INIT -> exit.code() != 0 && !policy.equals("Never");
            case MAIN -> policy.equals("Always") || (policy.equals("OnFailure") && exit.code() != 0);
        };
    }

    /** The first restart is at once; each further one waits twice as long, until a run has lasted. */
    private void scheduleRestart(ContainerState container, Exit exit) {
        probes.end(container);
        if (Duration.between(exit.startedAt(), exit.finishedAt()).compareTo(HEALTHY_RUN) >= 0) {
            container.crashes = 0;
        }
        Duration wait = container.crashes == 0 ? Duration.ZERO : crashBackoff.after(container.crashes);
        container.crashes++;
        container.startNotBefore = exit.finishedAt().plus(wait);
        if (!wait.isZero()) {
            String who = "container=" + container.name() + " pod=" + reports.fullName(pod);
            container.waiting("CrashLoopBackOff", "back-off " + text(wait) + " restarting failed " + who);
            reports.warning(
                    pod,
                    field(container),
                    "BackOff",
                    "Back-off restarting failed container " + container.name() + " in pod " + reports.fullName(pod));
        }
    }

    private Optional<Duration> start(ContainerState container, Instant now) {
        Attempt before = container.current;
        int number = before == null ? 0 : before.number() + 1;
        try {
            if (before == null) {
                reports.containerCreated(pod, field(container), container.spec(), runtime.probes());
            }
            Attempt attempt = runtime.start(site(), container.spec(), number, wake);
            container.previous = before;
            container.current = attempt;
            container.waiting("", "");
            container.startNotBefore = null;
            container.terminationSent = false;
            container.crashes = before == null ? 0 : container.crashes;
            if (number > 1) {
                runtime.forget(site(), container.name(), number - 2);
            }
            if (attempt.exit().isPresent() && attempt.exit().get().reason().equals("StartError")) {
                reports.warning(
                        pod,
                        field(container),
                        "Failed",
                        "Error: " + attempt.exit().get().message());
                return Optional.of(Duration.ZERO);
            }
            reports.containerStarted(pod, field(container), container.name(), runtime.probes());
            probes.begin(site(), container);
            runStartHook(container, attempt);
            return attempt.exit().isPresent() ? Optional.of(Duration.ZERO) : Optional.empty();
        } catch (SetupException e) {
            container.waiting(e.reason(), String.valueOf(e.getMessage()));
            container.crashes++;
            Duration wait = new Backoff(Duration.ofSeconds(1), SETUP_RETRY_MAX).after(container.crashes);
            container.startNotBefore = now.plus(wait);
            reports.warning(pod, field(container), "Failed", "Error: " + e.getMessage());
            return Optional.of(wait);
        }
    }

    private void runStartHook(ContainerState container, Attempt attempt) {
        JsonNode hook = container.spec().path("lifecycle").path("postStart");
        if (hook.isMissingNode() || !runtime.probes()) {
            return;
        }
        PodSite site = site();
        Thread.startVirtualThread(() -> probes.hook(site, container, hook, START_HOOK_SECONDS_MAX)
                .ifPresent(failure -> {
                    reports.warning(site.pod(), field(container), "FailedPostStartHook", failure);
                    attempt.kill();
                }));
    }

    private boolean mainOver() {
        return containers.stream()
                .filter(container -> container.role() == Role.MAIN)
                .allMatch(container -> container.exit().isPresent()
                        && !restarts(container, container.exit().get()));
    }

    private void endSidecars(Instant now) {
        if (containers.stream().anyMatch(container -> container.role() == Role.SIDECAR && container.running())) {
            stop(now, Duration.ofSeconds(grace(pod, false)));
        }
    }

    /** Asks everything to end, and ends it when its time is up. */
    private Optional<Duration> stop(Instant now, Duration grace) {
        containers.forEach(probes::end);
        if (nothingRuns()) {
            return Optional.empty();
        }
        Instant limit = now.plus(grace);
        if (killAt == null || limit.isBefore(killAt)) {
            killAt = limit;
        }
        if (!stopHooksStarted) {
            stopHooksStarted = true;
            startStopHooks(grace);
        }
        boolean late = !now.isBefore(killAt);
        boolean mainRuns =
                containers.stream().anyMatch(container -> container.role() != Role.SIDECAR && container.running());
        for (ContainerState container : containers.reversed()) {
            Attempt attempt = container.current;
            if (attempt == null || !container.running()) {
                continue;
            }
            if (late) {
                attempt.kill();
            } else if (!container.terminationSent && stopHooksDone && (container.role() != Role.SIDECAR || !mainRuns)) {
                container.terminationSent = true;
                reports.killing(pod, field(container), container.name(), runtime.probes());
                attempt.terminate();
            }
        }
        return Optional.of(late ? Duration.ofSeconds(1) : positive(Duration.between(now, killAt)));
    }

    /** Hooks run beside; SIGTERM follows when all have ended, and SIGKILL at the end of the grace period anyway. */
    private void startStopHooks(Duration grace) {
        List<Runnable> hooks = new ArrayList<>();
        for (ContainerState container : containers) {
            JsonNode hook = container.spec().path("lifecycle").path("preStop");
            Attempt attempt = container.current;
            if (attempt != null && container.running() && !hook.isMissingNode() && runtime.probes()) {
                hooks.add(() -> probes.hook(site(), container, hook, Math.max(1, (int) grace.toSeconds()))
                        .ifPresent(failure -> reports.warning(pod, field(container), "FailedPreStopHook", failure)));
            }
        }
        if (hooks.isEmpty()) {
            stopHooksDone = true;
            return;
        }
        Thread.startVirtualThread(() -> {
            try {
                hooks.forEach(Runnable::run);
            } finally {
                stopHooksDone = true;
                wake.run();
            }
        });
    }

    private static long grace(ObjectNode pod, boolean deleting) {
        JsonNode own = pod.path("metadata").path("deletionGracePeriodSeconds");
        return deleting && own.isNumber()
                ? own.asLong()
                : pod.path("spec").path("terminationGracePeriodSeconds").asLong(30);
    }

    private boolean nothingRuns() {
        return containers.stream().noneMatch(ContainerState::running);
    }

    /** The pod has reached its last phase and nothing of it runs. */
    private boolean over() {
        if (!nothingRuns()) {
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
        if (overBefore || (forced != null && !nothingRuns())) {
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

    private static String field(ContainerState container) {
        String list = container.role() == Role.MAIN ? "containers" : "initContainers";
        return "spec." + list + "{" + container.name() + "}";
    }

    /** As Go prints durations: {@code 10s}, {@code 1m20s}, {@code 5m0s}. */
    private static String text(Duration duration) {
        long minutes = duration.toMinutes();
        return (minutes > 0 ? minutes + "m" : "") + duration.toSecondsPart() + "s";
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
