/** The built-in API schemas as one compact resource, and its reader. */
@NullMarked
package io.atoll.schemas;

import org.jspecify.annotations.NullMarked;
