/** The client's transport and cache, straight into an API server of this process. */
@NullMarked
package io.atoll.inprocess;

import org.jspecify.annotations.NullMarked;
