@NullMarked
package io.atoll.scheduler.crd;

import org.jspecify.annotations.NullMarked;
