/** Who makes a request: client certificates, service-account tokens, impersonation. */
@NullMarked
package io.atoll.apiserver.authn;

import org.jspecify.annotations.NullMarked;
