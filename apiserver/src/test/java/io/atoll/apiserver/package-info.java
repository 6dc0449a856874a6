@NullMarked
package io.atoll.apiserver;

import org.jspecify.annotations.NullMarked;
