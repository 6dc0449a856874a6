@NullMarked
package io.atoll.scheduler.grouper;

import org.jspecify.annotations.NullMarked;
