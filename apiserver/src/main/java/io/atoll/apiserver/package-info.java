/** The Kubernetes API of many clusters in one process. */
@NullMarked
package io.atoll.apiserver;

import org.jspecify.annotations.NullMarked;
