/** GPU models, discovery of this machine's GPUs, and which pod holds which device. */
@NullMarked
package io.atoll.node.gpu;

import org.jspecify.annotations.NullMarked;
