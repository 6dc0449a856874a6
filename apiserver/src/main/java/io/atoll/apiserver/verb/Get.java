package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;

/** Reads one object. */
final class Get implements Verb {
    @Override
    public ApiResponse run(Call call) {
        Revisions.checkNotTooNew(call, call.parameter("resourceVersion"));
        return Responses.object(call, 200, find(call));
    }

    static CachedObject find(Call call) {
        Endpoint endpoint = call.endpoint();
        return call.registry()
                .find(endpoint.storedAs(), call.path().namespace(), call.path().name())
                .orElseThrow(() ->
                        ApiException.notFound(endpoint.resource(), call.path().name()));
    }
}
