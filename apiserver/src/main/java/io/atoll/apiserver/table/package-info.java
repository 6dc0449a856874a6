/** What {@code kubectl get} shows: Tables and metadata-only forms of objects, computed on the server. */
@NullMarked
package io.atoll.apiserver.table;

import org.jspecify.annotations.NullMarked;
