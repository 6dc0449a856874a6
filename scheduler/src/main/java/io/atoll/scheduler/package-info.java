/** Watches a cluster's pods and nodes, and binds the one to the other. */
@NullMarked
package io.atoll.scheduler;

import org.jspecify.annotations.NullMarked;
