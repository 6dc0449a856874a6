@NullMarked
package io.atoll.scheduler.core;

import org.jspecify.annotations.NullMarked;
