/** Which pods start together: from a pod and its owners to its PodGroup. Pure but for the controller. */
@NullMarked
package io.atoll.scheduler.grouper;

import org.jspecify.annotations.NullMarked;
