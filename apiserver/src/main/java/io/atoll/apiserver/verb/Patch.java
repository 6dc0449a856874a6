package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Update;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.ApiException;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Changes an object by a patch; tried again from the latest state when another write came first. */
final class Patch implements Verb {
    @Override
    public ApiResponse run(Call call) {
        PatchBody patch = PatchBody.of(call, call.endpoint().served());
        boolean apply = patch instanceof PatchBody.Apply;
        Write write = apply ? call.write().withOwnersSet() : call.write();
        Update.Outcome outcome = Update.update(
                write, call.path().name(), current -> patched(call, patch, current), () -> create(call, patch));
        return Responses.object(call, outcome.created() ? 201 : 200, outcome.object());
    }

    private static ObjectNode patched(Call call, PatchBody patch, ObjectNode current) {
        ObjectNode patched = patch.apply(current);
        Intake.fit(call, patched, List.of());
        return patched;
    }

    private static ObjectNode create(Call call, PatchBody patch) {
        if (!(patch instanceof PatchBody.Apply apply)
                || !call.path().subresource().isEmpty()) {
            throw ApiException.notFound(call.endpoint().resource(), call.path().name());
        }
        Access.require(call, "create");
        ObjectNode object = apply.create();
        Intake.fit(call, object, List.of());
        return object;
    }
}
