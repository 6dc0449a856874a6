@NullMarked
package io.atoll.scheduler.admission;

import org.jspecify.annotations.NullMarked;
