/** The watch cache: encoded objects, their changes, and who watches them. */
@NullMarked
package io.atoll.apiserver.watch;

import org.jspecify.annotations.NullMarked;
