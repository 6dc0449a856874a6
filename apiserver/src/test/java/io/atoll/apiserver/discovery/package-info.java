@NullMarked
package io.atoll.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
