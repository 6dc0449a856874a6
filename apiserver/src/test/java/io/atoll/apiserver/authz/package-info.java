@NullMarked
package io.atoll.apiserver.authz;

import org.jspecify.annotations.NullMarked;
