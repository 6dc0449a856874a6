/** What each built-in kind does that a schema cannot say. */
@NullMarked
package io.atoll.apiserver.kind;

import org.jspecify.annotations.NullMarked;
