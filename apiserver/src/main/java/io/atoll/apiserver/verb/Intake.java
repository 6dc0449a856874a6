package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.ApiException;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.schema.Defaults;
import io.atoll.model.schema.Pruning;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.SchemaValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Makes what a client sent fit to work with: right kind, known fields, right types, defaults. Stateless. */
final class Intake {
    private Intake() {}

    /** Reads the body as an object of the endpoint's own kind. */
    static ObjectNode object(Call call) {
        Json.Strict body = Bodies.read(call.http());
        ServedResource served = call.endpoint().served();
        checkKind(body.tree(), served.type().groupVersionKind());
        checkNamespace(body.tree(), call);
        fit(call, body.tree(), body.duplicates());
        return body.tree();
    }

    /** Prunes, checks types and defaults an object of the endpoint's kind, in place. */
    static void fit(Call call, ObjectNode object, List<String> duplicates) {
        ServedResource served = call.endpoint().served();
        GroupVersionKind kind = served.type().groupVersionKind();
        Schema schema = served.schema();
        if (!served.custom()) {
            Optional<String> mismatch = SchemaValidator.typeMismatch(schema, object);
            if (mismatch.isPresent()) {
                throw cannotHandle(kind, mismatch.get());
            }
        }
        List<String> unknown = Pruning.prune(schema, object);
        report(call, kind, unknown, duplicates);
        Defaults.apply(schema, object);
    }

    static void checkKind(ObjectNode object, GroupVersionKind expected) {
        String apiVersion = object.path("apiVersion").asString("");
        String kind = object.path("kind").asString("");
        if (apiVersion.isEmpty() && kind.isEmpty()) {
            object.put("apiVersion", expected.apiVersion()).put("kind", expected.kind());
            return;
        }
        if (!apiVersion.equals(expected.apiVersion())) {
            throw ApiException.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + expected.apiVersion() + ")");
        }
        if (!kind.equals(expected.kind())) {
            throw ApiException.badRequest(
                    "the kind in the data (" + kind + ") does not match the expected kind (" + expected.kind() + ")");
        }
    }

    static void checkNamespace(ObjectNode object, Call call) {
        String namespace = Metadata.namespace(object);
        if (!call.endpoint().type().namespaced()) {
            if (!namespace.isEmpty()) {
                Metadata.setNamespace(object, "");
            }
        } else if (namespace.isEmpty()) {
            Metadata.setNamespace(object, call.path().namespace());
        } else if (!namespace.equals(call.path().namespace())) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on" + " the request");
        }
    }

    static void report(Call call, GroupVersionKind kind, List<String> unknown, List<String> duplicates) {
        if (unknown.isEmpty() && duplicates.isEmpty()) {
            return;
        }
        List<String> mistakes = new ArrayList<>();
        unknown.forEach(field -> mistakes.add("unknown field \"" + field + "\""));
        duplicates.forEach(field -> mistakes.add("duplicate field \"" + field + "\""));
        switch (call.fieldValidation()) {
            case IGNORE -> {}
            case WARN ->
                mistakes.stream().filter(one -> !call.warnings().contains(one)).forEach(call.warnings()::add);
            case STRICT -> throw cannotHandle(kind, "strict decoding error: " + String.join(", ", mistakes));
        }
    }

    private static ApiException cannotHandle(GroupVersionKind kind, String why) {
        return ApiException.badRequest(kind.kind() + " in version \"" + kind.version() + "\" cannot be handled as a "
                + kind.kind() + ": " + why);
    }
}
