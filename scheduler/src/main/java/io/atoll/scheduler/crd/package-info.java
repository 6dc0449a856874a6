/** KAI Scheduler's resources as Atoll serves them: their definitions, and readers from trees to records. */
@NullMarked
package io.atoll.scheduler.crd;

import org.jspecify.annotations.NullMarked;
