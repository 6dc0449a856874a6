@NullMarked
package io.atoll.scheduler;

import org.jspecify.annotations.NullMarked;
