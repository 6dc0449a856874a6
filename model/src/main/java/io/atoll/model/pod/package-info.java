/** Streams into running pods: logs, exec, port-forward. */
@NullMarked
package io.atoll.model.pod;

import org.jspecify.annotations.NullMarked;
