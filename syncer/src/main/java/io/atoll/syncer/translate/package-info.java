/** How tenant objects look on the host: names, labels, pods. */
@NullMarked
package io.atoll.syncer.translate;

import org.jspecify.annotations.NullMarked;
