package io.atoll.node;

import io.atoll.model.Json;
import io.atoll.model.pod.PodPhase;
import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.Exit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Works out a pod's status from where its containers stand, with the kubelet's rules and words. Stateless. */
final class PodStatusTree {
    private PodStatusTree() {}

    /**
     * What a status is made of.
     *
     * @param before the status as last written, for times of transition
     * @param forced a phase with its reason that holds whatever the containers do; null for none
     * @param sandboxReady the pod's folder and volumes are there
     */
    record Input(
            ObjectNode pod,
            ObjectNode before,
            List<ContainerState> containers,
            @Nullable Forced forced,
            boolean sandboxReady,
            String hostIp,
            String podIp,
            Instant startTime,
            Instant now) {}

    /** A phase given by the node and not by the containers. */
    record Forced(String phase, String reason, String message) {}

    /** The fields of {@code status} that a node writes. Nulls delete what was there. */
    static ObjectNode of(Input input) {
        ObjectNode status = Json.object();
        String phase = phase(input);
        status.put("phase", phase);
        Forced forced = input.forced;
        if (forced == null || forced.reason.isEmpty()) {
            status.putNull("reason").putNull("message");
        } else {
            status.put("reason", forced.reason).put("message", forced.message);
        }
        conditions(input, phase, status.putArray("conditions"));
        status.put("hostIP", input.hostIp);
        status.putArray("hostIPs").addObject().put("ip", input.hostIp);
        if (!input.podIp.isEmpty()) {
            status.put("podIP", input.podIp);
            status.putArray("podIPs").addObject().put("ip", input.podIp);
        }
        status.put("startTime", time(input.startTime));
        if (forced != null && input.containers.stream().allMatch(container -> container.current == null)) {
            return status; // it never got as far as containers
        }
        boolean initialized = initialized(input);
        ArrayNode init = Json.array();
        List<ObjectNode> main = new ArrayList<>();
        for (ContainerState container : input.containers) {
            ObjectNode tree = container(input, container, initialized, phase);
            if (container.role() == ContainerState.Role.MAIN) {
                main.add(tree);
            } else {
                init.add(tree);
            }
        }
        main.sort(Comparator.comparing(tree -> tree.path("name").asString("")));
        if (!init.isEmpty()) {
            status.set("initContainerStatuses", init);
        }
        ArrayNode statuses = status.putArray("containerStatuses");
        main.forEach(statuses::add);
        return status;
    }

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The phase that the containers amount to. */
    static String phase(Input input) {
        if (input.forced != null) {
            return input.forced.phase();
        }
        String policy = input.pod.path("spec").path("restartPolicy").asString("Always");
        for (ContainerState container : input.containers) {
            if (container.role() == ContainerState.Role.INIT && !container.succeeded()) {
                boolean failed = container.exit().isPresent() && policy.equals("Never");
                return failed && nothingRuns(input.containers) ? "Failed" : "Pending";
            }
            if (container.role() == ContainerState.Role.SIDECAR && !container.started() && container.current == null) {
                return "Pending";
            }
        }
        int waiting = 0;
        int running = 0;
        int stopped = 0;
        int succeeded = 0;
        for (ContainerState container : input.containers) {
            if (container.role() == ContainerState.Role.INIT) {
                continue;
            }
            boolean sidecar = container.role() == ContainerState.Role.SIDECAR;
            if (container.running()) {
                running++;
            } else if (container.current == null) {
                waiting += sidecar ? 0 : 1;
            } else if (!sidecar) {
                stopped++;
                succeeded += container.succeeded() ? 1 : 0;
            }
        }
        if (waiting > 0) {
            return "Pending";
        }
        if (running > 0 || policy.equals("Always")) {
            return "Running";
        }
        if (stopped == succeeded) {
            return "Succeeded";
        }
        return policy.equals("Never") ? "Failed" : "Running";
    }

    private static boolean nothingRuns(List<ContainerState> containers) {
        return containers.stream().noneMatch(ContainerState::running);
    }

    private static boolean initialized(Input input) {
        return input.containers.stream().allMatch(container -> switch (container.role()) {
            case INIT -> container.succeeded();
            case SIDECAR -> container.started() || container.exit().isPresent();
            case MAIN -> true;
        });
    }

    private static void conditions(Input input, String phase, ArrayNode conditions) {
        boolean over = PodPhase.terminal(phase);
        add(input, conditions, "PodReadyToStartContainers", input.sandboxReady && !over, "", "");
        List<String> incomplete = names(input, container -> switch (container.role()) {
            case INIT -> !container.succeeded();
            case SIDECAR -> !container.started();
            case MAIN -> false;
        });
        boolean completed = phase.equals("Succeeded");
        if (completed || incomplete.isEmpty()) {
            add(input, conditions, "Initialized", true, completed ? "PodCompleted" : "", "");
        } else {
            add(
                    input,
                    conditions,
                    "Initialized",
                    false,
                    "ContainersNotInitialized",
                    "containers with incomplete status: " + list(incomplete));
        }
        List<String> unready =
                names(input, container -> container.role() != ContainerState.Role.INIT && !container.ready());
        String reason = completed ? "PodCompleted" : over ? "PodFailed" : "ContainersNotReady";
        String message = over ? "" : "containers with unready status: " + list(unready);
        boolean containersReady = !over && unready.isEmpty() && incomplete.isEmpty();
        add(
                input,
                conditions,
                "ContainersReady",
                containersReady,
                containersReady ? "" : reason,
                containersReady ? "" : message);
        Optional<String> gate = containersReady ? closedGate(input.pod) : Optional.empty();
        if (gate.isPresent()) {
            add(input, conditions, "Ready", false, "ReadinessGatesNotReady", gate.get());
        } else {
            add(
                    input,
                    conditions,
                    "Ready",
                    containersReady,
                    containersReady ? "" : reason,
                    containersReady ? "" : message);
        }
        add(input, conditions, "PodScheduled", true, "", "");
    }

    private static Optional<String> closedGate(ObjectNode pod) {
        for (JsonNode gate : pod.path("spec").path("readinessGates")) {
            String type = gate.path("conditionType").asString("");
            String value = "";
            for (JsonNode condition : pod.path("status").path("conditions")) {
                if (condition.path("type").asString("").equals(type)) {
                    value = condition.path("status").asString("");
                }
            }
            if (value.isEmpty()) {
                return Optional.of("corresponding condition of pod readiness gate \"" + type + "\" does not exist.");
            }
            if (!value.equals("True")) {
                return Optional.of("the status of pod readiness gate \"" + type + "\" is not \"True\", but " + value);
            }
        }
        return Optional.empty();
    }

    private static void add(
            Input input, ArrayNode conditions, String type, boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = time(input.now);
        for (JsonNode before : input.before.path("conditions")) {
            if (before.path("type").asString("").equals(type)
                    && before.path("status").asString("").equals(status)) {
                since = before.path("lastTransitionTime").asString(since);
            }
        }
        ObjectNode condition = conditions.addObject().put("type", type).put("status", status);
        condition.putNull("lastProbeTime").put("lastTransitionTime", since);
        // Written as nulls, so that a merge by type drops the reason of the state before.
        if (reason.isEmpty()) {
            condition.putNull("reason");
        } else {
            condition.put("reason", reason);
        }
        if (message.isEmpty()) {
            condition.putNull("message");
        } else {
            condition.put("message", message);
        }
    }

    private static List<String> names(Input input, java.util.function.Predicate<ContainerState> which) {
        return input.containers.stream().filter(which).map(ContainerState::name).toList();
    }

    private static String list(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }

    private static ObjectNode container(Input input, ContainerState container, boolean initialized, String phase) {
        ObjectNode tree = Json.object();
        tree.put("name", container.name());
        ObjectNode state = tree.putObject("state");
        ObjectNode lastState = tree.putObject("lastState");
        Attempt current = container.current;
        Attempt previous = container.previous;
        boolean waiting = !container.waitingReason.isEmpty() || current == null;
        boolean over = PodPhase.terminal(phase);
        Optional<Exit> exit = container.exit();
        if (container.running() && current != null) {
            state.putObject("running").put("startedAt", time(current.startedAt()));
        } else if (waiting && !over) {
            String reason = container.waitingReason;
            if (reason.isEmpty()) {
                boolean afterInit = container.role() == ContainerState.Role.MAIN && initialized;
                boolean hasInit = input.containers.stream().anyMatch(c -> c.role() != ContainerState.Role.MAIN);
                reason = afterInit || !hasInit ? "ContainerCreating" : "PodInitializing";
            }
            ObjectNode why = state.putObject("waiting").put("reason", reason);
            if (!container.waitingMessage.isEmpty()) {
                why.put("message", container.waitingMessage);
            }
        } else if (exit.isPresent() && current != null) {
            state.set("terminated", terminated(exit.get(), current.id()));
        } else {
            String reason = container.waitingReason.isEmpty() ? "ContainerCreating" : container.waitingReason;
            state.putObject("waiting").put("reason", reason);
        }
        // While it waits to be restarted, the run that ended is the last state.
        if (state.has("waiting") && exit.isPresent() && current != null) {
            lastState.set("terminated", terminated(exit.get(), current.id()));
        } else if (previous != null && previous.exit().isPresent()) {
            lastState.set("terminated", terminated(previous.exit().get(), previous.id()));
        } else if (container.lastTerminated != null) {
            lastState.set("terminated", container.lastTerminated.deepCopy());
        }
        tree.put("ready", container.ready());
        tree.put("restartCount", container.restartCount());
        tree.put("image", container.spec().path("image").asString(""));
        tree.put("imageID", "");
        if (current != null) {
            tree.put("containerID", current.id());
        }
        tree.put("started", container.started());
        return tree;
    }

    private static ObjectNode terminated(Exit exit, String id) {
        ObjectNode tree = Json.object().put("exitCode", exit.code()).put("reason", exit.reason());
        if (!exit.message().isEmpty()) {
            tree.put("message", exit.message());
        }
        return tree.put("startedAt", time(exit.startedAt()))
                .put("finishedAt", time(exit.finishedAt()))
                .put("containerID", id);
    }
}
