/** What is served, and how each kind differs from the rest. */
@NullMarked
package io.atoll.apiserver.registry;

import org.jspecify.annotations.NullMarked;
