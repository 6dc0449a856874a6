package io.atoll.node;

import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.Exit;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where one container of a pod stands. Changed by the pod's reconcile only, but for the results of probes; read by
 * streams too.
 */
final class ContainerState {
    private final ObjectNode spec;
    private final Role role;

    /** The latest run; none before the first. */
    volatile @Nullable Attempt current;
    /** The run before it. */
    volatile @Nullable Attempt previous;
    /** {@code lastState.terminated} as written before this agent came. */
    @Nullable
    ObjectNode lastTerminated;

    /** Why it does not run; empty reasons mean the usual one. */
    String waitingReason = "";

    String waitingMessage = "";
    /** Restarts that followed on a short run. */
    int crashes;

    @Nullable
    Instant startNotBefore;

    boolean terminationSent;
    volatile boolean startupPassed;
    volatile boolean readyByProbe;

    enum Role {
        INIT,
        SIDECAR,
        MAIN
    }

    ContainerState(ObjectNode spec, Role role) {
        this.spec = spec;
        this.role = role;
    }

    ObjectNode spec() {
        return spec;
    }

    Role role() {
        return role;
    }

    /** Where events say that it is, e.g. {@code spec.containers{main}}. */
    String field() {
        return "spec." + (role == Role.MAIN ? "containers" : "initContainers") + "{" + name() + "}";
    }

    String name() {
        return spec.path("name").asString("");
    }

    boolean running() {
        Attempt attempt = current;
        return attempt != null && attempt.exit().isEmpty();
    }

    Optional<Exit> exit() {
        Attempt attempt = current;
        return attempt == null ? Optional.empty() : attempt.exit();
    }

    boolean succeeded() {
        return exit().map(exit -> exit.code() == 0).orElse(false);
    }

    int restartCount() {
        Attempt attempt = current;
        return attempt == null ? 0 : attempt.number();
    }

    /** Running, and past its startup probe. */
    boolean started() {
        return running() && startupPassed;
    }

    boolean ready() {
        return role == Role.INIT ? succeeded() : started() && readyByProbe;
    }

    void waiting(String reason, String message) {
        waitingReason = reason;
        waitingMessage = message;
    }
}
