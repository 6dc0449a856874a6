/** The API as clients meet it, on a real store. */
@NullMarked
package io.atoll.apiserver.verb;

import org.jspecify.annotations.NullMarked;
