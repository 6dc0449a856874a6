package io.atoll.node.runtime;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the containers of pods. Knows no restart policy and writes no status: that is the pod's life cycle, the same over
 * every runtime. Any thread, but for one pod one call at a time.
 */
public interface PodRuntime extends AutoCloseable {
    /** Readies what the containers of a pod share, above all its volumes. Called again it refreshes them. */
    void prepare(PodSite site) throws SetupException;

    /**
     * Starts a container.
     *
     * @param number the run to start; no other run of the container is going on
     * @param onExit runs once when it has ended, on any thread; must not block
     * @return the run, which may be over already when the command could not be started
     */
    Attempt start(PodSite site, ObjectNode container, int number, Runnable onExit) throws SetupException;

    /** Finds the runs of a container that an earlier agent left, oldest first; at most the last one still goes on. */
    List<Attempt> adopt(PodSite site, ObjectNode container, Runnable onExit);

    /** Removes what is kept of a run that is over: its log above all. */
    void forget(PodSite site, String container, int number);

    /** Removes the pod's folder; none of its containers runs any more. */
    void remove(PodSite site);

    /** Runs a probe's or a hook's command in a container and waits for its end, at most that long. */
    ProbeResult runInside(Attempt attempt, List<String> command, int timeoutSeconds);

    /** Whether probes mean something here. */
    boolean probes();

    /** Stops watching; containers go on. */
    @Override
    void close();

    /** What a command inside a container came to. */
    record ProbeResult(boolean ok, String output) {}
}
