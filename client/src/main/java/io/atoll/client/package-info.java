/** Get, list, watch, write over a transport. */
@NullMarked
package io.atoll.client;

import org.jspecify.annotations.NullMarked;
