package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Update;
import io.atoll.model.ApiException;
import tools.jackson.databind.node.ObjectNode;

/** Replaces an object, or its status, with the one sent. */
final class Replace implements Verb {
    @Override
    public ApiResponse run(Call call) {
        ObjectNode object = Intake.object(call);
        Update.Outcome outcome = Update.update(call.write(), call.path().name(), _ -> object.deepCopy(), () -> {
            if (!call.endpoint().strategy().traits().has(Trait.CREATE_ON_UPDATE)
                    || !call.path().subresource().isEmpty()) {
                throw ApiException.notFound(
                        call.endpoint().resource(), call.path().name());
            }
            Access.require(call, "create");
            return object;
        });
        return Responses.object(call, outcome.created() ? 201 : 200, outcome.object());
    }
}
