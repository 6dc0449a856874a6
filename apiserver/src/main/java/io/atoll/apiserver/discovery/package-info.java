/** What is served, as clients discover it. */
@NullMarked
package io.atoll.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
