@NullMarked
package io.atoll.apiserver.pki;

import org.jspecify.annotations.NullMarked;
