package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Creation;
import tools.jackson.databind.node.ObjectNode;

/** Creates an object in a collection. */
final class Create implements Verb {
    @Override
    public ApiResponse run(Call call) {
        ObjectNode object = Intake.object(call);
        return Responses.object(call, 201, Creation.create(call.write(), object));
    }
}
