package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.ScalePaths;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.apiserver.registry.Update;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.Schemas;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The number of replicas of anything that has one, as {@code autoscaling/v1 Scale}. */
final class Scale implements Verb {
    private static final GroupVersionKind KIND = new GroupVersionKind("autoscaling", "v1", "Scale");
    private static final ServedResource SERVED = new ServedResource(
            ResourceType.of("autoscaling", "v1", "scale", "Scale", true),
            false,
            List.of(),
            () -> Schemas.find(KIND).orElseThrow());

    @Override
    public ApiResponse run(Call call) {
        ScalePaths paths = call.endpoint().scale();
        return switch (call.path().verb()) {
            case "get" -> {
                ObjectNode object = Json.parse(call.endpoint().conversion().encode(Get.find(call)));
                yield Responses.tree(call, 200, scale(object, paths));
            }
            case "update" -> {
                ObjectNode sent = Bodies.read(call.http()).tree();
                Intake.checkKind(sent, KIND);
                yield answer(call, paths, update(call, paths, _ -> sent));
            }
            case "patch" -> {
                PatchBody patch = PatchBody.of(call, SERVED);
                yield answer(call, paths, update(call, paths, patch::apply));
            }
            default ->
                throw new ApiException(
                        StatusReason.MethodNotAllowed,
                        "the server does not allow this method on the requested resource");
        };
    }

    private static CachedObject update(Call call, ScalePaths paths, Update.Edit edit) {
        return Update.update(call.write(), call.path().name(), current -> {
            ObjectNode scale = edit.apply(scale(current, paths));
            long replicas = scale.path("spec").path("replicas").asLong(0);
            if (replicas < 0) {
                Mistakes mistakes = new Mistakes();
                mistakes.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
                mistakes.throwIfAny(KIND, call.path().name());
            }
            paths.setReplicas(current, replicas);
            Metadata.setResourceVersion(current, Metadata.resourceVersion(scale));
            return current;
        });
    }

    private static ApiResponse answer(Call call, ScalePaths paths, CachedObject object) {
        return Responses.tree(
                call, 200, scale(Json.parse(call.endpoint().conversion().encode(object)), paths));
    }

    private static ObjectNode scale(ObjectNode object, ScalePaths paths) {
        ObjectNode scale = Json.object();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        Metadata.setName(scale, Metadata.name(object));
        Metadata.setNamespace(scale, Metadata.namespace(object));
        Metadata.setUid(scale, Metadata.uid(object));
        Metadata.setResourceVersion(scale, Metadata.resourceVersion(object));
        Metadata.of(scale).put("creationTimestamp", Metadata.creationTimestamp(object));
        scale.putObject("spec").put("replicas", paths.replicas(object));
        ObjectNode status = scale.putObject("status").put("replicas", paths.observed(object));
        String selector = paths.selector(object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }
}
