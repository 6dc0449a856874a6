package io.atoll.apiserver.openapi;

import io.atoll.model.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Writes a version 2 document as gnostic's {@code openapi.v2.Document}, which kubectl and Helm read. */
final class GnosticDocument {
    private static final int NAME = 1;
    private static final int VALUE = 2;

    private GnosticDocument() {}

    static byte[] encode(JsonNode document) {
        WireMessage info = new WireMessage()
                .text(1, text(document.path("info"), "title"))
                .text(2, text(document.path("info"), "version"));
        WireMessage paths = new WireMessage();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            paths.message(2, named(path.getKey(), pathItem(path.getValue())));
        }
        return new WireMessage()
                .text(1, text(document, "swagger"))
                .message(2, info)
                .message(8, paths)
                .message(9, schemas(document.path("definitions")))
                .encoded();
    }

    private static WireMessage named(String name, WireMessage value) {
        return new WireMessage().text(NAME, name).message(VALUE, value);
    }

    private static WireMessage pathItem(JsonNode item) {
        WireMessage out = new WireMessage();
        putOperation(out, 2, item.path("get"));
        putOperation(out, 3, item.path("put"));
        putOperation(out, 4, item.path("post"));
        putOperation(out, 5, item.path("delete"));
        putOperation(out, 8, item.path("patch"));
        for (JsonNode parameter : item.path("parameters")) {
            out.message(9, parameter(parameter));
        }
        return out;
    }

    private static void putOperation(WireMessage out, int field, JsonNode operation) {
        if (!operation.isObject()) {
            return;
        }
        WireMessage message = new WireMessage();
        operation.path("tags").forEach(tag -> message.text(1, tag.asString()));
        message.text(5, text(operation, "operationId"));
        operation.path("consumes").forEach(type -> message.text(7, type.asString()));
        operation.path("parameters").forEach(parameter -> message.message(8, parameter(parameter)));
        message.message(9, responses(operation.path("responses")));
        putExtensions(message, 13, operation);
        out.message(field, message);
    }

    private static WireMessage responses(JsonNode responses) {
        WireMessage out = new WireMessage();
        for (Map.Entry<String, JsonNode> response : responses.properties()) {
            WireMessage message = new WireMessage().text(1, text(response.getValue(), "description"));
            JsonNode schema = response.getValue().path("schema");
            if (schema.isObject()) {
                message.message(2, new WireMessage().message(1, schema(schema)));
            }
            out.message(1, named(response.getKey(), new WireMessage().message(1, message)));
        }
        return out;
    }

    /** A {@code ParametersItem}: in it a body, or a parameter of the path or the query. */
    private static WireMessage parameter(JsonNode parameter) {
        WireMessage typed = switch (text(parameter, "in")) {
            case "body" -> new WireMessage().message(1, bodyParameter(parameter));
            case "path" -> new WireMessage().message(2, new WireMessage().message(4, pathParameter(parameter)));
            default -> new WireMessage().message(2, new WireMessage().message(3, queryParameter(parameter)));
        };
        return new WireMessage().message(1, typed);
    }

    private static WireMessage bodyParameter(JsonNode parameter) {
        return new WireMessage()
                .text(1, text(parameter, "description"))
                .text(2, text(parameter, "name"))
                .text(3, text(parameter, "in"))
                .bool(4, parameter.path("required").asBoolean(false))
                .message(5, schema(parameter.path("schema")));
    }

    private static WireMessage pathParameter(JsonNode parameter) {
        return new WireMessage()
                .bool(1, parameter.path("required").asBoolean(false))
                .text(2, text(parameter, "in"))
                .text(3, text(parameter, "description"))
                .text(4, text(parameter, "name"))
                .text(5, text(parameter, "type"))
                .bool(19, parameter.path("uniqueItems").asBoolean(false));
    }

    private static WireMessage queryParameter(JsonNode parameter) {
        return new WireMessage()
                .bool(1, parameter.path("required").asBoolean(false))
                .text(2, text(parameter, "in"))
                .text(3, text(parameter, "description"))
                .text(4, text(parameter, "name"))
                .text(6, text(parameter, "type"))
                .bool(20, parameter.path("uniqueItems").asBoolean(false));
    }

    private static WireMessage schemas(JsonNode schemas) {
        WireMessage out = new WireMessage();
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            out.message(1, named(schema.getKey(), schema(schema.getValue())));
        }
        return out;
    }

    private static WireMessage schema(JsonNode schema) {
        WireMessage out = new WireMessage();
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            JsonNode value = keyword.getValue();
            switch (keyword.getKey()) {
                case "$ref" -> out.text(1, value.asString());
                case "format" -> out.text(2, value.asString());
                case "title" -> out.text(3, value.asString());
                case "description" -> out.text(4, value.asString());
                case "default" -> out.message(5, any(value));
                case "multipleOf" -> out.number(6, value.asDouble());
                case "maximum" -> out.number(7, value.asDouble());
                case "exclusiveMaximum" -> out.bool(8, value.asBoolean());
                case "minimum" -> out.number(9, value.asDouble());
                case "exclusiveMinimum" -> out.bool(10, value.asBoolean());
                case "maxLength" -> out.integer(11, value.asLong());
                case "minLength" -> out.integer(12, value.asLong());
                case "pattern" -> out.text(13, value.asString());
                case "maxItems" -> out.integer(14, value.asLong());
                case "minItems" -> out.integer(15, value.asLong());
                case "uniqueItems" -> out.bool(16, value.asBoolean());
                case "maxProperties" -> out.integer(17, value.asLong());
                case "minProperties" -> out.integer(18, value.asLong());
                case "required" -> value.forEach(name -> out.text(19, name.asString()));
                case "enum" -> value.forEach(choice -> out.message(20, any(choice)));
                case "additionalProperties" -> out.message(21, additionalProperties(value));
                case "type" -> out.message(22, new WireMessage().text(1, value.asString()));
                case "items" -> out.message(23, new WireMessage().message(1, schema(value)));
                case "properties" -> out.message(25, schemas(value));
                default -> {}
            }
        }
        putExtensions(out, 31, schema);
        return out;
    }

    private static WireMessage additionalProperties(JsonNode value) {
        return value.isObject()
                ? new WireMessage().message(1, schema(value))
                : new WireMessage().bool(2, value.asBoolean(false));
    }

    private static void putExtensions(WireMessage out, int field, JsonNode object) {
        for (Map.Entry<String, JsonNode> extension : object.properties()) {
            if (extension.getKey().startsWith("x-")) {
                out.message(field, named(extension.getKey(), any(extension.getValue())));
            }
        }
    }

    /** Any value travels as YAML text, and JSON is that. */
    private static WireMessage any(JsonNode value) {
        return new WireMessage().text(2, Json.encodeToString(value));
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }
}
