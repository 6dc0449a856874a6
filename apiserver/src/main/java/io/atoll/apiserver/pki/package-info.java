/** A cluster's certificate authority, keys and kubeconfigs. */
@NullMarked
package io.atoll.apiserver.pki;

import org.jspecify.annotations.NullMarked;
