/** TLS, HTTP/1.1 and HTTP/2 in front of many clusters: turns bytes into {@code ApiRequest}s and answers into bytes. */
@NullMarked
package io.atoll.apiserver.http;

import org.jspecify.annotations.NullMarked;
