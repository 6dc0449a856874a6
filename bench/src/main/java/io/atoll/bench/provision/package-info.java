/** How fast tenants come, and what they cost. */
@NullMarked
package io.atoll.bench.provision;

import org.jspecify.annotations.NullMarked;
