/** Who a caller is, and tokens for service accounts. */
@NullMarked
package io.atoll.apiserver.review;

import org.jspecify.annotations.NullMarked;
