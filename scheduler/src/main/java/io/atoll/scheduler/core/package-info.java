/** Scheduling decisions over a snapshot: no I/O, no clock, the same plan for the same input. */
@NullMarked
package io.atoll.scheduler.core;

import org.jspecify.annotations.NullMarked;
