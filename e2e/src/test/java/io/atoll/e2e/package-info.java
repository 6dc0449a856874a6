/** Real clients against the whole system, started by the launcher as a user starts it. */
@NullMarked
package io.atoll.e2e;

import org.jspecify.annotations.NullMarked;
