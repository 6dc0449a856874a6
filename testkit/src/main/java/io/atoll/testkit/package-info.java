/** Fixtures for tests that need a cluster or a clock. */
@NullMarked
package io.atoll.testkit;

import org.jspecify.annotations.NullMarked;
