package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Extension.CreateCall;
import io.atoll.apiserver.registry.Extension.CreateHandler;
import io.atoll.model.ApiException;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Subresource;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/** A POST that stores nothing: reviews and token requests. */
record CreateOnly(ClusterParts.CreatorKey key) implements Verb {
    @Override
    public ApiResponse run(Call call) {
        if (!call.path().verb().equals("create")) {
            throw new ApiException(
                    io.atoll.model.StatusReason.MethodNotAllowed,
                    "the server does not allow this method on the requested resource");
        }
        CreateHandler handler = Objects.requireNonNull(call.parts().creators().get(key));
        ObjectNode body = Bodies.read(call.http()).tree();
        GroupVersionKind kind = call.endpoint()
                .served()
                .subresource(key.subresource())
                .map(Subresource::kind)
                .orElse(call.endpoint().type().groupVersionKind());
        Intake.checkKind(body, kind);
        ObjectNode answer = handler.create(new CreateCall(
                call.user(),
                call.endpoint().served(),
                call.path().namespace(),
                call.path().name(),
                body,
                Call.dryRun(call.parameter("dryRun"))));
        return Responses.tree(call, 201, answer);
    }
}
