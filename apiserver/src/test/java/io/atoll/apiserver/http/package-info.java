@NullMarked
package io.atoll.apiserver.http;

import org.jspecify.annotations.NullMarked;
