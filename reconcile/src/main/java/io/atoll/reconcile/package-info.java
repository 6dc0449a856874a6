/** Level-triggered loops: keys in, one reconcile at a time for each. */
@NullMarked
package io.atoll.reconcile;

import org.jspecify.annotations.NullMarked;
