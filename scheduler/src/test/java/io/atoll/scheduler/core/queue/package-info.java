@NullMarked
package io.atoll.scheduler.core.queue;

import org.jspecify.annotations.NullMarked;
