package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.FieldOwners;
import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.ApiException;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.model.patch.JsonPatch;
import io.atoll.model.patch.MergePatch;
import io.atoll.model.patch.ServerSideApply;
import io.atoll.model.patch.StrategicMergePatch;
import io.atoll.model.schema.Pruning;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A patch as it was sent; each kind knows how to change an object. Immutable. */
sealed interface PatchBody {
    /** The object, in the served version, as the patch makes it. */
    ObjectNode apply(ObjectNode current);

    /** Reads the patch of an object of the given type: the endpoint's own, or a subresource's. */
    static PatchBody of(Call call, ServedResource served) {
        byte[] body = call.http().body();
        return switch (Bodies.mediaType(call.http())) {
            case "application/json-patch+json" -> new Operations(Json.parseValue(body));
            case "application/merge-patch+json" -> new Merge(Json.parse(body));
            case "application/strategic-merge-patch+json" -> {
                if (served.custom()) {
                    throw Bodies.unsupported(
                            call.http(),
                            "application/json-patch+json",
                            "application/merge-patch+json",
                            "application/apply-patch+yaml");
                }
                yield new Strategic(served, Json.parse(body));
            }
            case "application/apply-patch+yaml" ->
                Apply.of(call, served, Yaml.parse(new String(body, StandardCharsets.UTF_8)));
            default ->
                throw Bodies.unsupported(
                        call.http(),
                        "application/json-patch+json",
                        "application/merge-patch+json",
                        "application/strategic-merge-patch+json",
                        "application/apply-patch+yaml");
        };
    }

    /** RFC 6902. */
    record Operations(JsonNode patch) implements PatchBody {
        @Override
        public ObjectNode apply(ObjectNode current) {
            return object(JsonPatch.apply(current, patch));
        }
    }

    /** RFC 7386. */
    record Merge(ObjectNode patch) implements PatchBody {
        @Override
        public ObjectNode apply(ObjectNode current) {
            return object(MergePatch.apply(current, patch));
        }
    }

    /** Kubernetes' own, by the schema's merge keys. */
    record Strategic(ServedResource served, ObjectNode patch) implements PatchBody {
        @Override
        public ObjectNode apply(ObjectNode current) {
            return StrategicMergePatch.apply(served.schema(), current, patch);
        }
    }

    /** Server-side apply: also creates. */
    record Apply(ServedResource served, ObjectNode applied, ServerSideApply.Write write, boolean force)
            implements PatchBody {

        static Apply of(Call call, ServedResource served, ObjectNode applied) {
            if (call.parameter("fieldManager").isEmpty()) {
                Mistakes mistakes = new Mistakes();
                mistakes.required("fieldManager", "is required for apply patch");
                mistakes.throwIfAny(new GroupVersionKind("meta.k8s.io", "v1", "PatchOptions"), "");
            }
            Intake.checkKind(applied, served.type().groupVersionKind());
            if (Metadata.name(applied).isEmpty()) {
                Metadata.setName(applied, call.path().name());
            }
            Intake.checkNamespace(applied, call);
            Intake.report(call, served.type().groupVersionKind(), Pruning.prune(served.schema(), applied), List.of());
            return new Apply(
                    served,
                    applied,
                    FieldOwners.applying(call.write()),
                    RequestPath.isTrue(call.http().parameter("force")));
        }

        @Override
        public ObjectNode apply(ObjectNode current) {
            return merged(current);
        }

        /** What to create when there is no such object. */
        ObjectNode create() {
            return merged(null);
        }

        private ObjectNode merged(@Nullable ObjectNode current) {
            return ServerSideApply.apply(served.schema(), current, applied.deepCopy(), write, force);
        }
    }

    private static ObjectNode object(JsonNode patched) {
        if (patched instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("the patch leaves no object");
    }
}
