/** OpenAPI documents of what is served: for explain, client-side validation and code generators. */
@NullMarked
package io.atoll.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
