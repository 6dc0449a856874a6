/** Requests to an API server over HTTPS. */
@NullMarked
package io.atoll.client.http;

import org.jspecify.annotations.NullMarked;
