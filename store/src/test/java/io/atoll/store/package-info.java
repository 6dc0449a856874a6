@NullMarked
package io.atoll.store;

import org.jspecify.annotations.NullMarked;
