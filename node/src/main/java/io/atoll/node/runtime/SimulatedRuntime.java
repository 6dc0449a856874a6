package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.model.Metadata;
import io.atoll.model.pod.PodResources;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs nothing: a container is a start time and a timer. Thousands cost little more than their objects. Any thread.
 *
 * <p>{@value #DURATION} ({@code 90s}, {@code 1h30m}) says how long a run takes and {@value #EXIT_CODE} how it ends.
 * Without them a container of a pod that is always restarted runs for ever, any other for {@value #SECONDS_DEFAULT}
 * seconds. After a restart of the agent a run goes on from the start time in the pod's status.
 */
public final class SimulatedRuntime implements PodRuntime {
    public static final String DURATION = "atoll.dev/sim-duration";
    public static final String EXIT_CODE = "atoll.dev/sim-exit-code";

    private static final int SECONDS_DEFAULT = 2;
    private static final Duration INIT_DURATION = Duration.ZERO;
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|d)");

    private final Timers timers;

    public SimulatedRuntime(Timers timers) {
        this.timers = timers;
    }

    @Override
    public void prepare(PodSite site) {}

    @Override
    public Attempt start(PodSite site, ObjectNode container, int number, Runnable onExit) throws SetupException {
        return begin(site, container, number, timers.instant(), onExit);
    }

    private SimulatedAttempt begin(PodSite site, ObjectNode container, int number, Instant startedAt, Runnable onExit)
            throws SetupException {
        String name = container.path("name").asString("");
        SimulatedAttempt attempt = new SimulatedAttempt(
                "simulated://" + site.uid() + "-" + name + "-" + number, number, startedAt, onExit);
        Optional<Duration> duration = duration(site, container);
        int code = exitCode(site);
        if (duration.isPresent()) {
            Instant end = startedAt.plus(duration.get());
            attempt.timer = timers.after(
                    positive(Duration.between(timers.instant(), end)), () -> attempt.end(code, timers.instant()));
        }
        return attempt;
    }

    @Override
    public List<Attempt> adopt(PodSite site, ObjectNode container, Runnable onExit) {
        String name = container.path("name").asString("");
        for (String list : List.of("initContainerStatuses", "containerStatuses")) {
            for (JsonNode status : site.pod().path("status").path(list)) {
                if (status.path("name").asString("").equals(name)) {
                    return adopt(site, container, status, onExit);
                }
            }
        }
        return List.of();
    }

    private List<Attempt> adopt(PodSite site, ObjectNode container, JsonNode status, Runnable onExit) {
        int number = status.path("restartCount").asInt(0);
        JsonNode terminated = status.path("state").path("terminated");
        if (terminated.isMissingNode()) {
            terminated = status.path("lastState").path("terminated");
        }
        JsonNode running = status.path("state").path("running");
        try {
            if (!running.isMissingNode()) {
                return List.of(begin(site, container, number, instant(running.path("startedAt")), onExit));
            }
            if (!terminated.isMissingNode()) {
                Instant startedAt = instant(terminated.path("startedAt"));
                SimulatedAttempt attempt =
                        new SimulatedAttempt(status.path("containerID").asString(""), number, startedAt, onExit);
                attempt.exit = Exit.of(
                        terminated.path("exitCode").asInt(0), "", startedAt, instant(terminated.path("finishedAt")));
                return List.of(attempt);
            }
        } catch (SetupException _) {
            // the annotation has become unreadable: the container starts over, and then says so
        }
        return List.of();
    }

    private Instant instant(JsonNode text) {
        try {
            return Instant.parse(text.asString(""));
        } catch (DateTimeParseException _) {
            return timers.instant();
        }
    }

    /** How long a run takes; empty for ever. */
    private static Optional<Duration> duration(PodSite site, JsonNode container) throws SetupException {
        boolean init = false;
        for (JsonNode initContainer : site.pod().path("spec").path("initContainers")) {
            init |= initContainer.path("name").equals(container.path("name"));
        }
        if (init) {
            return PodResources.sidecar(container) ? Optional.empty() : Optional.of(INIT_DURATION);
        }
        String wanted = Metadata.annotation(site.pod(), DURATION);
        if (!wanted.isEmpty()) {
            return Optional.of(parse(wanted));
        }
        String policy = site.pod().path("spec").path("restartPolicy").asString("Always");
        return policy.equals("Always") ? Optional.empty() : Optional.of(Duration.ofSeconds(SECONDS_DEFAULT));
    }

    /** Reads {@code 1h30m}, {@code 90s}, {@code 250ms}. */
    static Duration parse(String text) throws SetupException {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            double amount = Double.parseDouble(part.group(1));
            double millis = amount
                    * switch (part.group(2)) {
                        case "ms" -> 1;
                        case "s" -> 1_000;
                        case "m" -> 60_000;
                        case "h" -> 3_600_000;
                        default -> 86_400_000;
                    };
            sum = sum.plusMillis(Math.round(millis));
            end = part.end();
        }
        if (end == 0 || end != text.length()) {
            throw new SetupException(
                    "CreateContainerConfigError",
                    "annotation " + DURATION + ": '" + text + "' is not a duration such as 90s or 1h30m");
        }
        return sum;
    }

    private static int exitCode(PodSite site) throws SetupException {
        String code = Metadata.annotation(site.pod(), EXIT_CODE);
        if (code.isEmpty()) {
            return 0;
        }
        if (!code.matches("[0-9]{1,3}") || Integer.parseInt(code) > 255) {
            throw new SetupException(
                    "CreateContainerConfigError",
                    "annotation " + EXIT_CODE + ": '" + code + "' must be a number from 0 to 255");
        }
        return Integer.parseInt(code);
    }

    @Override
    public void forget(PodSite site, String container, int number) {}

    @Override
    public void remove(PodSite site) {}

    @Override
    public ProbeResult runInside(Attempt attempt, List<String> command, int timeoutSeconds) {
        return new ProbeResult(true, "");
    }

    @Override
    public boolean probes() {
        return false;
    }

    @Override
    public void close() {}

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    private final class SimulatedAttempt implements Attempt {
        private final String id;
        private final int number;
        private final Instant startedAt;
        private final Runnable onExit;
        private Timers.@Nullable Pending timer;
        private volatile @Nullable Exit exit;

        SimulatedAttempt(String id, int number, Instant startedAt, Runnable onExit) {
            this.id = id;
            this.number = number;
            this.startedAt = startedAt;
            this.onExit = onExit;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public Instant startedAt() {
            return startedAt;
        }

        @Override
        public Optional<Exit> exit() {
            return Optional.ofNullable(exit);
        }

        @Override
        public void terminate() {
            end(143, timers.instant());
        }

        @Override
        public void kill() {
            end(137, timers.instant());
        }

        private void end(int code, Instant at) {
            synchronized (this) {
                if (exit != null) {
                    return;
                }
                exit = Exit.of(code, "", startedAt, at);
            }
            Timers.Pending pending = timer;
            if (pending != null) {
                pending.cancel();
            }
            onExit.run();
        }
    }
}
