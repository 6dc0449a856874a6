package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Why pods are evicted. Immutable.
 *
 * @param evictor the job that is to have the room; null when none is
 */
public record Eviction(Action action, @Nullable Job evictor) {}
