/** The one schema model that drives everything generic. */
@NullMarked
package io.atoll.model.schema;

import org.jspecify.annotations.NullMarked;
