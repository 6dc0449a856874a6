/** One class per verb of the API. */
@NullMarked
package io.atoll.apiserver.verb;

import org.jspecify.annotations.NullMarked;
