/** Carries a tenant's pods, and what they refer to, to the host, and what becomes of them back. */
@NullMarked
package io.atoll.syncer;

import org.jspecify.annotations.NullMarked;
