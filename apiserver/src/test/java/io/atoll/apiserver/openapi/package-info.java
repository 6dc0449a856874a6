@NullMarked
package io.atoll.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
