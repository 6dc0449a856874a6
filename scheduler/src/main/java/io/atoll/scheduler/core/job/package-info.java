/** Jobs as the scheduler sees them: groups of pods that start together. */
@NullMarked
package io.atoll.scheduler.core.job;

import org.jspecify.annotations.NullMarked;
