/** Build time only: compiles descriptors, annotations and facts into the resource. Not shipped. */
@NullMarked
package io.atoll.schemas.compile;

import org.jspecify.annotations.NullMarked;
