/** Where nodes are: blocks, racks and what else an operator calls near. */
@NullMarked
package io.atoll.scheduler.core.topology;

import org.jspecify.annotations.NullMarked;
