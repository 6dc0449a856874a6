package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;

/** Carries out one kind of request. Stateless, shared by all clusters; failures are ApiExceptions. */
interface Verb {
    ApiResponse run(Call call);
}
