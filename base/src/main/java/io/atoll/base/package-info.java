/** Identities, bounds and backoff: what every module may use. */
@NullMarked
package io.atoll.base;

import org.jspecify.annotations.NullMarked;
