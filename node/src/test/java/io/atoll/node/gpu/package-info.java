@NullMarked
package io.atoll.node.gpu;

import org.jspecify.annotations.NullMarked;
