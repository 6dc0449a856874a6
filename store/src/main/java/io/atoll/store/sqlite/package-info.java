/** The embedded engine: one SQLite file a tenant. */
@NullMarked
package io.atoll.store.sqlite;

import org.jspecify.annotations.NullMarked;
