/** JSON, merge and strategic merge patches; server-side apply. */
@NullMarked
package io.atoll.model.patch;

import org.jspecify.annotations.NullMarked;
