/** Objects as trees: names, metadata, selectors, quantities, codecs, Status. */
@NullMarked
package io.atoll.model;

import org.jspecify.annotations.NullMarked;
