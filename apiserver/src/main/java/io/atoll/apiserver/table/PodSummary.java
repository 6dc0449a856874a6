package io.atoll.apiserver.table;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The READY, STATUS and RESTARTS of a pod, worked out from its containers' states. Immutable.
 *
 * @param lastRestart when a container last ended before a restart; empty when none did
 */
record PodSummary(int ready, int total, String status, long restarts, String lastRestart) {

    static PodSummary of(Row row) {
        return new Reader(row).read();
    }

    String readyText() {
        return ready + "/" + total;
    }

    String restartsText(Row row) {
        return restarts == 0 || lastRestart.isEmpty()
                ? Long.toString(restarts)
                : restarts + " (" + HumanDuration.since(lastRestart, row.now()) + " ago)";
    }

    /** Walks the statuses once; init containers first, then (when they are done) the others from last to first. */
    private static final class Reader {
        private final Row row;
        private final Set<String> sidecars = new HashSet<>();
        private int ready;
        private String reason;
        private long restarts;
        private String lastRestart = "";
        private long sidecarRestarts;
        private String lastSidecarRestart = "";

        Reader(Row row) {
            this.row = row;
            this.reason = row.textOr("status.reason", row.text("status.phase"));
        }

        PodSummary read() {
            int total = row.count("spec.containers");
            for (JsonNode container : row.at("spec.initContainers")) {
                if ("Always".equals(Row.text(container.path("restartPolicy")))) {
                    sidecars.add(Row.text(container.path("name")));
                    total++;
                }
            }
            if ("SchedulingGated".equals(Row.text(row.condition("PodScheduled").path("reason")))) {
                reason = "SchedulingGated";
            }
            boolean initializing = readInitContainers();
            if (!initializing || row.conditionTrue("Initialized")) {
                restarts = sidecarRestarts;
                lastRestart = lastSidecarRestart;
                readContainers();
            }
            if (row.deleting()) {
                if ("NodeLost".equals(row.text("status.reason"))) {
                    reason = "Unknown";
                } else if (!isTerminal(row.text("status.phase"))) {
                    reason = "Terminating";
                }
            }
            return new PodSummary(ready, total, reason, restarts, lastRestart);
        }

        private static boolean isTerminal(String phase) {
            return phase.equals("Succeeded") || phase.equals("Failed");
        }

        /** Whether an init container still runs or has failed. */
        private boolean readInitContainers() {
            int index = 0;
            for (JsonNode status : row.at("status.initContainerStatuses")) {
                boolean sidecar = sidecars.contains(Row.text(status.path("name")));
                countRestarts(status, sidecar);
                JsonNode terminated = status.path("state").path("terminated");
                JsonNode waiting = status.path("state").path("waiting");
                String waitingFor = Row.text(waiting.path("reason"));
                if (isPresent(terminated) && terminated.path("exitCode").asInt(0) == 0) {
                    index++;
                    continue;
                }
                if (sidecar && status.path("started").asBoolean(false)) {
                    ready += status.path("ready").asBoolean(false) ? 1 : 0;
                    index++;
                    continue;
                }
                if (isPresent(terminated)) {
                    reason = "Init:" + end(terminated);
                } else if (!waitingFor.isEmpty() && !waitingFor.equals("PodInitializing")) {
                    reason = "Init:" + waitingFor;
                } else {
                    reason = "Init:" + index + "/" + row.count("spec.initContainers");
                }
                return true;
            }
            return false;
        }

        private void readContainers() {
            boolean anyRunning = false;
            JsonNode statuses = row.at("status.containerStatuses");
            for (int i = statuses.size() - 1; i >= 0; i--) {
                JsonNode status = statuses.path(i);
                countRestarts(status, false);
                JsonNode terminated = status.path("state").path("terminated");
                String waitingFor =
                        Row.text(status.path("state").path("waiting").path("reason"));
                if (!waitingFor.isEmpty()) {
                    reason = waitingFor;
                } else if (isPresent(terminated)) {
                    reason = end(terminated);
                } else if (status.path("ready").asBoolean(false)
                        && isPresent(status.path("state").path("running"))) {
                    anyRunning = true;
                    ready++;
                }
            }
            if (reason.equals("Completed") && anyRunning) {
                reason = row.conditionTrue("Ready") ? "Running" : "NotReady";
            }
        }

        private void countRestarts(JsonNode status, boolean sidecar) {
            long count = status.path("restartCount").asLong(0);
            String ended = Row.text(status.path("lastState").path("terminated").path("finishedAt"));
            restarts += count;
            lastRestart = later(lastRestart, ended);
            if (sidecar) {
                sidecarRestarts += count;
                lastSidecarRestart = later(lastSidecarRestart, ended);
            }
        }

        /** Timestamps of one form compare as text. */
        private static String later(String left, String right) {
            return left.compareTo(right) >= 0 ? left : right;
        }

        private static String end(JsonNode terminated) {
            String reason = Row.text(terminated.path("reason"));
            if (!reason.isEmpty()) {
                return reason;
            }
            long signal = terminated.path("signal").asLong(0);
            return signal != 0
                    ? "Signal:" + signal
                    : "ExitCode:" + terminated.path("exitCode").asLong(0);
        }

        private static boolean isPresent(JsonNode node) {
            return !node.isMissingNode() && !node.isNull();
        }
    }
}
