package io.atoll.node;

import io.atoll.base.Timers;
import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.PodRuntime;
import io.atoll.node.runtime.PodRuntime.ProbeResult;
import io.atoll.node.runtime.PodSite;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * Probes and hooks of one pod's containers. A probe's turn runs on a thread of its own and then arms the next; it ends
 * with the run that it watches. Any thread.
 */
final class ContainerProbes {
    private final PodRuntime runtime;
    private final String podIp;
    private final Timers timers;
    private final PodReports reports;
    private final Runnable wake;
    private final Map<String, Attempt> watched = new ConcurrentHashMap<>();

    private enum Kind {
        STARTUP("startupProbe", "Startup"),
        READINESS("readinessProbe", "Readiness"),
        LIVENESS("livenessProbe", "Liveness");

        private final String field;
        private final String title;

        Kind(String field, String title) {
            this.field = field;
            this.title = title;
        }
    }

    ContainerProbes(PodRuntime runtime, String podIp, Timers timers, PodReports reports, Runnable wake) {
        this.runtime = runtime;
        this.podIp = podIp;
        this.timers = timers;
        this.reports = reports;
        this.wake = wake;
    }

    /** Starts to watch the container's current run. */
    void begin(PodSite site, ContainerState container) {
        Attempt attempt = container.current;
        if (attempt == null || attempt.exit().isPresent()) {
            return;
        }
        JsonNode spec = container.spec();
        boolean real = runtime.probes();
        container.startupPassed = !real || !spec.has(Kind.STARTUP.field);
        container.readyByProbe = !real || !spec.has(Kind.READINESS.field);
        if (!real) {
            return;
        }
        watched.put(container.name(), attempt);
        for (Kind kind : Kind.values()) {
            if (spec.has(kind.field)) {
                JsonNode probe = spec.path(kind.field);
                arm(
                        new Turn(site, container, attempt, kind, probe, 0, 0),
                        Duration.ofSeconds(probe.path("initialDelaySeconds").asLong(0)));
            }
        }
    }

    void end(ContainerState container) {
        watched.remove(container.name());
    }

    /** Runs a hook to its end; what went wrong, if anything did. */
    Optional<String> hook(PodSite site, ContainerState container, JsonNode hook, int timeoutSeconds) {
        Attempt attempt = container.current;
        if (attempt == null || attempt.exit().isPresent()) {
            return Optional.empty();
        }
        JsonNode sleep = hook.path("sleep").path("seconds");
        if (sleep.isNumber()) {
            java.util.concurrent.CountDownLatch over = new java.util.concurrent.CountDownLatch(1);
            timers.after(Duration.ofSeconds(Math.min(sleep.asLong(), timeoutSeconds)), over::countDown);
            try {
                over.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        }
        ProbeResult result = run(container, attempt, hook, timeoutSeconds);
        return result.ok() ? Optional.empty() : Optional.of("Hook failed: " + result.output());
    }

    /** One probe on its way: how often in a row it has succeeded and failed. */
    private record Turn(
            PodSite site,
            ContainerState container,
            Attempt attempt,
            Kind kind,
            JsonNode probe,
            int successes,
            int failures) {
        Turn after(boolean ok) {
            return new Turn(site, container, attempt, kind, probe, ok ? successes + 1 : 0, ok ? 0 : failures + 1);
        }
    }

    private void arm(Turn turn, Duration delay) {
        timers.after(delay, () -> take(turn));
    }

    private void take(Turn turn) {
        ContainerState container = turn.container;
        if (!turn.attempt.equals(watched.get(container.name()))
                || turn.attempt.exit().isPresent()) {
            return;
        }
        Duration period =
                Duration.ofSeconds(Math.max(1, turn.probe.path("periodSeconds").asLong(10)));
        if (turn.kind != Kind.STARTUP && !container.startupPassed) {
            arm(turn, Duration.ofMillis(200));
            return;
        }
        int timeout = Math.max(1, turn.probe.path("timeoutSeconds").asInt(1));
        ProbeResult result = run(container, turn.attempt, turn.probe, timeout);
        if (!turn.attempt.equals(watched.get(container.name()))
                || turn.attempt.exit().isPresent()) {
            return;
        }
        Turn next = turn.after(result.ok());
        if (!result.ok()) {
            reports.warning(
                    turn.site.pod(),
                    "spec.containers{" + container.name() + "}",
                    "Unhealthy",
                    turn.kind.title + " probe failed: " + result.output());
        }
        boolean failed =
                next.failures >= Math.max(1, turn.probe.path("failureThreshold").asInt(3));
        boolean passed = next.successes
                >= Math.max(1, turn.probe.path("successThreshold").asInt(1));
        switch (turn.kind) {
            case READINESS -> {
                if (passed != container.readyByProbe && (passed || failed)) {
                    container.readyByProbe = passed;
                    wake.run();
                }
            }
            case STARTUP -> {
                if (passed) {
                    container.startupPassed = true;
                    wake.run();
                    return;
                }
                if (failed) {
                    restart(turn, result);
                    return;
                }
            }
            case LIVENESS -> {
                if (failed) {
                    restart(turn, result);
                    return;
                }
            }
        }
        arm(next, period);
    }

    private void restart(Turn turn, ProbeResult result) {
        String name = turn.container.name();
        String kind = turn.kind == Kind.LIVENESS ? "liveness" : "startup";
        reports.warning(
                turn.site.pod(),
                "spec.containers{" + name + "}",
                "Killing",
                "Container " + name + " failed " + kind + " probe, will be restarted: " + result.output());
        turn.attempt.terminate();
        long grace = turn.probe
                .path("terminationGracePeriodSeconds")
                .asLong(turn.site
                        .pod()
                        .path("spec")
                        .path("terminationGracePeriodSeconds")
                        .asLong(30));
        timers.after(Duration.ofSeconds(grace), turn.attempt::kill);
    }

    private ProbeResult run(ContainerState container, Attempt attempt, JsonNode action, int timeoutSeconds) {
        if (action.has("exec")) {
            List<String> command = new ArrayList<>();
            action.path("exec").path("command").forEach(word -> command.add(word.asString("")));
            return runtime.runInside(attempt, command, timeoutSeconds);
        }
        if (action.has("httpGet")) {
            return http(container, action.path("httpGet"), timeoutSeconds);
        }
        if (action.has("tcpSocket")) {
            JsonNode target = action.path("tcpSocket");
            return tcp(host(target), port(container, target.path("port")), timeoutSeconds);
        }
        return new ProbeResult(false, "this kind of action is not supported on this node");
    }

    private ProbeResult http(ContainerState container, JsonNode target, int timeoutSeconds) {
        String scheme = target.path("scheme").asString("HTTP").toLowerCase(java.util.Locale.ROOT);
        String path = target.path("path").asString("/");
        String url = scheme + "://" + host(target) + ":" + port(container, target.path("port"))
                + (path.startsWith("/") ? path : "/" + path);
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setConnectTimeout(timeoutSeconds * 1000);
            connection.setReadTimeout(timeoutSeconds * 1000);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("User-Agent", "kube-probe/1.36");
            target.path("httpHeaders")
                    .forEach(header -> connection.setRequestProperty(
                            header.path("name").asString(""),
                            header.path("value").asString("")));
            int code = connection.getResponseCode();
            connection.disconnect();
            return code >= 200 && code < 400
                    ? new ProbeResult(true, "")
                    : new ProbeResult(false, "HTTP probe failed with statuscode: " + code);
        } catch (IOException | IllegalArgumentException e) {
            return new ProbeResult(false, "Get \"" + url + "\": " + e.getMessage());
        }
    }

    private static ProbeResult tcp(String host, int port, int timeoutSeconds) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), timeoutSeconds * 1000);
            return new ProbeResult(true, "");
        } catch (IOException | IllegalArgumentException e) {
            return new ProbeResult(false, "dial tcp " + host + ":" + port + ": " + e.getMessage());
        }
    }

    private String host(JsonNode target) {
        String host = target.path("host").asString("");
        return host.isEmpty() ? podIp : host;
    }

    private static int port(ContainerState container, JsonNode port) {
        if (port.isNumber()) {
            return port.asInt();
        }
        for (JsonNode declared : container.spec().path("ports")) {
            if (declared.path("name").asString("").equals(port.asString(""))) {
                return declared.path("containerPort").asInt(0);
            }
        }
        String text = port.asString("");
        return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    }
}
