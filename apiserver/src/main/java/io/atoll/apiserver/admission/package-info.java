/** Rules that change or refuse a write. */
@NullMarked
package io.atoll.apiserver.admission;

import org.jspecify.annotations.NullMarked;
