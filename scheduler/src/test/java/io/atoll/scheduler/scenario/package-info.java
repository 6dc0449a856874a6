/** Rows of scenarios: a cluster, what the scheduler should make of it, and the page's rule that says so. */
@NullMarked
package io.atoll.scheduler.scenario;

import org.jspecify.annotations.NullMarked;
