/** What runs containers: local processes, or nothing but timers. */
@NullMarked
package io.atoll.node.runtime;

import org.jspecify.annotations.NullMarked;
