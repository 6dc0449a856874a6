package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.DeleteOptions;
import io.atoll.apiserver.registry.DeleteOptions.Propagation;
import io.atoll.apiserver.registry.Deletion;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Metadata;
import io.atoll.model.StatusObject;
import tools.jackson.databind.node.ObjectNode;

/** Deletes one object. */
final class Delete implements Verb {
    @Override
    public ApiResponse run(Call call) {
        DeleteOptions options = options(call);
        Deletion.Outcome outcome =
                Deletion.delete(write(call, options), call.path().name(), options);
        if (!outcome.complete()) {
            boolean accepted = options.propagation() == Propagation.FOREGROUND;
            return Responses.object(call, accepted ? 202 : 200, outcome.object());
        }
        if (call.endpoint().strategy().traits().has(Trait.RETURNS_DELETED)) {
            return Responses.object(call, 200, outcome.object());
        }
        return Responses.tree(
                call,
                200,
                StatusObject.success(
                        call.endpoint().resource(),
                        call.path().name(),
                        Metadata.uid(outcome.object().tree())));
    }

    /** From the body, else from the query. */
    static DeleteOptions options(Call call) {
        ObjectNode body = Bodies.readOptional(call.http());
        if (!body.has("propagationPolicy")
                && !call.parameter("propagationPolicy").isEmpty()) {
            body.put("propagationPolicy", call.parameter("propagationPolicy"));
        }
        if (!body.has("gracePeriodSeconds")
                && !call.parameter("gracePeriodSeconds").isEmpty()) {
            body.put("gracePeriodSeconds", Revisions.parse(call.parameter("gracePeriodSeconds")));
        }
        if (!body.has("orphanDependents") && !call.parameter("orphanDependents").isEmpty()) {
            body.put("orphanDependents", RequestPath.isTrue(call.parameter("orphanDependents")));
        }
        if (!body.has("dryRun") && Call.dryRun(call.parameter("dryRun"))) {
            body.putArray("dryRun").add("All");
        }
        return DeleteOptions.of(body);
    }

    static Write write(Call call, DeleteOptions options) {
        return call.write().asDelete(options.dryRun());
    }
}
