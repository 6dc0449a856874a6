package io.atoll.node;

import io.atoll.base.Backoff;
import io.atoll.node.ContainerState.Role;
import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.Exit;
import io.atoll.node.runtime.PodRuntime;
import io.atoll.node.runtime.PodSite;
import io.atoll.node.runtime.SetupException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts the containers of one pod, and starts them again by its restart policy, with growing waits. Called from the
 * pod's reconcile only; a container's {@code startNotBefore} is set whenever it is to start again and has not.
 */
final class ContainerStarts {
    private static final Duration SETUP_RETRY_MAX = Duration.ofSeconds(30);
    private static final int START_HOOK_SECONDS_MAX = 600;
    /** A container that ran this long starts over with the shortest backoff. */
    private static final Duration HEALTHY_RUN = Duration.ofMinutes(10);

    private final List<ContainerState> containers;
    private final Supplier<PodSite> site;
    private final PodRuntime runtime;
    private final ContainerProbes probes;
    private final PodReports reports;
    private final Backoff crashBackoff;
    private final Runnable wake;

    /** @param site the pod as it is now */
    ContainerStarts(
            List<ContainerState> containers,
            Supplier<PodSite> site,
            PodRuntime runtime,
            ContainerProbes probes,
            PodReports reports,
            Backoff crashBackoff,
            Runnable wake) {
        this.containers = containers;
        this.site = site;
        this.runtime = runtime;
        this.probes = probes;
        this.reports = reports;
        this.crashBackoff = crashBackoff;
        this.wake = wake;
    }

    /** All main containers have ended for good. */
    boolean mainOver() {
        return containers.stream()
                .filter(container -> container.role() == Role.MAIN)
                .allMatch(container -> container.exit().isPresent()
                        && !restarts(container, container.exit().get()));
    }

    /** Starts a container, or starts it again, when it is its time; tells how long until it is, if that is known. */
    Optional<Duration> advance(ContainerState container, Instant now) {
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
        String policy = site.get().pod().path("spec").path("restartPolicy").asString("Always");
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
            ObjectNode pod = site.get().pod();
            String who = "container=" + container.name() + " pod=" + reports.fullName(pod);
            container.waiting("CrashLoopBackOff", "back-off " + text(wait) + " restarting failed " + who);
            reports.warning(
                    pod,
                    container.field(),
                    "BackOff",
                    "Back-off restarting failed container " + container.name() + " in pod " + reports.fullName(pod));
        }
    }

    private Optional<Duration> start(ContainerState container, Instant now) {
        ObjectNode pod = site.get().pod();
        Attempt before = container.current;
        int number = before == null ? 0 : before.number() + 1;
        try {
            if (before == null) {
                reports.containerCreated(pod, container.field(), container.spec(), runtime.probes());
            }
            Attempt attempt = runtime.start(site.get(), container.spec(), number, wake);
            container.previous = before;
            container.current = attempt;
            container.waiting("", "");
            container.startNotBefore = null;
            container.terminationSent = false;
            container.crashes = before == null ? 0 : container.crashes;
            if (number > 1) {
                runtime.forget(site.get(), container.name(), number - 2);
            }
            if (attempt.exit().isPresent() && attempt.exit().get().reason().equals("StartError")) {
                reports.warning(
                        pod,
                        container.field(),
                        "Failed",
                        "Error: " + attempt.exit().get().message());
                return Optional.of(Duration.ZERO);
            }
            reports.containerStarted(pod, container.field(), container.name(), runtime.probes());
            probes.begin(site.get(), container);
            runStartHook(container, attempt);
            return attempt.exit().isPresent() ? Optional.of(Duration.ZERO) : Optional.empty();
        } catch (SetupException e) {
            container.waiting(e.reason(), String.valueOf(e.getMessage()));
            container.crashes++;
            Duration wait = new Backoff(Duration.ofSeconds(1), SETUP_RETRY_MAX).after(container.crashes);
            container.startNotBefore = now.plus(wait);
            reports.warning(pod, container.field(), "Failed", "Error: " + e.getMessage());
            return Optional.of(wait);
        }
    }

    private void runStartHook(ContainerState container, Attempt attempt) {
        JsonNode hook = container.spec().path("lifecycle").path("postStart");
        if (hook.isMissingNode() || !runtime.probes()) {
            return;
        }
        PodSite here = site.get();
        Thread.startVirtualThread(() -> probes.hook(here, container, hook, START_HOOK_SECONDS_MAX)
                .ifPresent(failure -> {
                    reports.warning(here.pod(), container.field(), "FailedPostStartHook", failure);
                    attempt.kill();
                }));
    }

    /** As Go prints durations: {@code 10s}, {@code 1m20s}, {@code 5m0s}. */
    private static String text(Duration duration) {
        long minutes = duration.toMinutes();
        return (minutes > 0 ? minutes + "m" : "") + duration.toSecondsPart() + "s";
    }
}
