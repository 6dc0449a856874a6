/** The life of tenants: cells that serve them, and the operator that makes and removes them. */
@NullMarked
package io.atoll.tenancy;

import org.jspecify.annotations.NullMarked;
