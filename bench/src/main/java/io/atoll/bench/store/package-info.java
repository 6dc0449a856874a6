/** Measures the store. */
@NullMarked
package io.atoll.bench.store;

import org.jspecify.annotations.NullMarked;
