@NullMarked
package io.atoll.apiserver.authn;

import org.jspecify.annotations.NullMarked;
