package io.atoll.node;

import io.atoll.base.Timers;
import java.time.Duration;

/**
 * Settings of a {@link NodeAgent}. Immutable.
 *
 * @param taintGpus puts the taint {@code nvidia.com/gpu=present:NoSchedule} on nodes with GPUs
 * @param kubernetesServiceHost where pods reach the API server, for {@code KUBERNETES_SERVICE_HOST}; empty to leave
 *     it out
 * @param logFileBytesMax size at which a container's log file is closed and the next begun
 * @param logFilesMax how many log files of a container are kept, the current one included
 * @param heartbeatInterval how often a node renews its lease, at least
 * @param crashLoopBackoffInitial wait before a container's second restart; doubles with each further one
 */
public record NodeOptions(
        boolean taintGpus,
        String kubernetesServiceHost,
        int kubernetesServicePort,
        long logFileBytesMax,
        int logFilesMax,
        Duration heartbeatInterval,
        Duration crashLoopBackoffInitial,
        Duration crashLoopBackoffMax,
        Timers timers) {

    public static final NodeOptions DEFAULT = new NodeOptions(
            false,
            "",
            0,
            10 << 20,
            5,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Timers.system());

    public NodeOptions withTaintGpus(boolean taint) {
        return new NodeOptions(
                taint,
                kubernetesServiceHost,
                kubernetesServicePort,
                logFileBytesMax,
                logFilesMax,
                heartbeatInterval,
                crashLoopBackoffInitial,
                crashLoopBackoffMax,
                timers);
    }

    public NodeOptions withKubernetesService(String host, int port) {
        return new NodeOptions(
                taintGpus,
                host,
                port,
                logFileBytesMax,
                logFilesMax,
                heartbeatInterval,
                crashLoopBackoffInitial,
                crashLoopBackoffMax,
                timers);
    }

    public NodeOptions withLogBounds(long fileBytesMax, int filesMax) {
        return new NodeOptions(
                taintGpus,
                kubernetesServiceHost,
                kubernetesServicePort,
                fileBytesMax,
                filesMax,
                heartbeatInterval,
                crashLoopBackoffInitial,
                crashLoopBackoffMax,
                timers);
    }

    public NodeOptions withCrashLoopBackoff(Duration initial, Duration max) {
        return new NodeOptions(
                taintGpus,
                kubernetesServiceHost,
                kubernetesServicePort,
                logFileBytesMax,
                logFilesMax,
                heartbeatInterval,
                initial,
                max,
                timers);
    }
}
