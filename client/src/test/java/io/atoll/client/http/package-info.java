@NullMarked
package io.atoll.client.http;

import org.jspecify.annotations.NullMarked;
