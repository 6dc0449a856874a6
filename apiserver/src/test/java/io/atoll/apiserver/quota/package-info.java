@NullMarked
package io.atoll.apiserver.quota;

import org.jspecify.annotations.NullMarked;
