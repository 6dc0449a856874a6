/** Limits on what a namespace may hold: LimitRanges and ResourceQuotas, enforced as objects come in. */
@NullMarked
package io.atoll.apiserver.quota;

import org.jspecify.annotations.NullMarked;
