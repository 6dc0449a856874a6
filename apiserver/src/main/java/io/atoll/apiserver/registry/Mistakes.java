package io.atoll.apiserver.registry;

import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Collects every mistake of an object, worded as Kubernetes does. One thread. */
public final class Mistakes {
    private final List<Cause> causes = new ArrayList<>();

    public void required(String field, String detail) {
        add("FieldValueRequired", field, detail.isEmpty() ? "Required value" : "Required value: " + detail);
    }

    public void invalid(String field, Object value, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + print(value) + ": " + detail);
    }

    public void forbidden(String field, String detail) {
        add("FieldValueForbidden", field, "Forbidden: " + detail);
    }

    public void duplicate(String field, Object value) {
        add("FieldValueDuplicate", field, "Duplicate value: " + print(value));
    }

    public void notFound(String field, Object value) {
        add("FieldValueNotFound", field, "Not found: " + print(value));
    }

    public void unsupported(String field, Object value, List<String> supported) {
        String values = supported.stream().map(Mistakes::quote).collect(Collectors.joining(", "));
        add("FieldValueNotSupported", field, "Unsupported value: " + print(value) + ": supported values: " + values);
    }

    public void tooLong(String field, int bytesMax) {
        add("FieldValueTooLong", field, "Too long: may not be more than " + bytesMax + " bytes");
    }

    public void tooMany(String field, int actual, int max) {
        add("FieldValueTooMany", field, "Too many: " + actual + ": must have at most " + max + " items");
    }

    /** The message of a field that may not change once it is set. */
    public void immutable(String field, JsonNode value) {
        invalid(field, value, "field is immutable");
    }

    public void add(String reason, String field, String message) {
        causes.add(new Cause(reason, message, field));
    }

    public void addAll(List<Cause> others) {
        causes.addAll(others);
    }

    public boolean isEmpty() {
        return causes.isEmpty();
    }

    public List<Cause> causes() {
        return List.copyOf(causes);
    }

    /** Throws a 422 with all of them, if there are any. */
    public void throwIfAny(GroupVersionKind kind, String name) {
        if (!causes.isEmpty()) {
            throw ApiException.invalid(kind, name, causes);
        }
    }

    private static String print(Object value) {
        return switch (value) {
            case String text -> quote(text);
            case JsonNode node when node.isString() -> quote(node.stringValue());
            case JsonNode node -> node.isMissingNode() || node.isNull() ? "null" : Json.encodeToString(node);
            default -> value.toString();
        };
    }

    private static String quote(String text) {
        return Json.encodeToString(tools.jackson.databind.node.StringNode.valueOf(text));
    }
}
