package io.atoll.node;

import io.atoll.base.Timers;
import io.atoll.node.ContainerState.Role;
import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.PodRuntime;
import io.atoll.node.runtime.PodSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Ends the containers of one pod: hooks, then SIGTERM, sidecars last, and SIGKILL when the grace period is over. Called
 * from the pod's reconcile only, but for the hooks' threads. A grace period once begun can only become shorter.
 */
final class PodStop {
    private final List<ContainerState> containers;
    private final Supplier<PodSite> site;
    private final PodRuntime runtime;
    private final ContainerProbes probes;
    private final PodReports reports;
    private final Timers timers;
    private final Runnable wake;

    private @Nullable Instant killAt;
    private boolean stopHooksStarted;
    private volatile boolean stopHooksDone;

    /** @param site the pod as it is now */
    PodStop(
            List<ContainerState> containers,
            Supplier<PodSite> site,
            PodRuntime runtime,
            ContainerProbes probes,
            PodReports reports,
            Timers timers,
            Runnable wake) {
        this.containers = containers;
        this.site = site;
        this.runtime = runtime;
        this.probes = probes;
        this.reports = reports;
        this.timers = timers;
        this.wake = wake;
    }

    /** Asks everything to end, and ends it when its time is up; tells when to call again. */
    Optional<Duration> advance(Instant now, Duration grace) {
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
                reports.killing(site.get().pod(), container.field(), container.name(), runtime.probes());
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
                hooks.add(() -> probes.hook(site.get(), container, hook, Math.max(1, (int) grace.toSeconds()))
                        .ifPresent(failure ->
                                reports.warning(site.get().pod(), container.field(), "FailedPreStopHook", failure)));
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

    /** Asks the containers to end, without hooks; the next agent decides what becomes of the pod. */
    void terminateAll() {
        attempts().forEach(Attempt::terminate);
    }

    void killAll() {
        attempts().forEach(Attempt::kill);
    }

    boolean nothingRuns() {
        return containers.stream().noneMatch(ContainerState::running);
    }

    /** When to look again while containers end. */
    Duration untilKill() {
        return killAt == null ? Duration.ofSeconds(1) : positive(Duration.between(timers.instant(), killAt));
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

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
