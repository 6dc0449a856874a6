@NullMarked
package io.atoll.node.runtime;

import org.jspecify.annotations.NullMarked;
