/** The mathematics of hierarchical queues: shares, order, limits and reclaim rules over amounts; no pods, no I/O, no clock. */
@NullMarked
package io.atoll.scheduler.core.queue;

import org.jspecify.annotations.NullMarked;
