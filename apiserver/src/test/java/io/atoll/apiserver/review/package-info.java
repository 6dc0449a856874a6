@NullMarked
package io.atoll.apiserver.review;

import org.jspecify.annotations.NullMarked;
