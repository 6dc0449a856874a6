package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.util.List;

/**
 * Pods of a job that are evicted together: one that it can spare, or all that it has left. Immutable.
 *
 * @param use what they use of their queue; not to be changed
 * @param spared whether the job still has what it must have without them
 */
record VictimUnit(Job job, Queue leaf, List<Task> tasks, ResourceVector use, boolean spared) {}
