@NullMarked
package io.atoll.node;

import org.jspecify.annotations.NullMarked;
