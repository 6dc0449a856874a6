@NullMarked
package io.atoll.store.sqlite;

import org.jspecify.annotations.NullMarked;
