package io.atoll.model.schema;

import io.atoll.model.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Collects mistakes in fields, worded as Kubernetes words them. For one check. */
final class FieldErrors {
    private final List<ApiException.Cause> causes = new ArrayList<>();

    List<ApiException.Cause> causes() {
        return causes;
    }

    boolean isEmpty() {
        return causes.isEmpty();
    }

    void addAll(FieldErrors other) {
        causes.addAll(other.causes);
    }

    void required(String field, String detail) {
        add("FieldValueRequired", field, "Required value", detail);
    }

    void forbidden(String field, String detail) {
        add("FieldValueForbidden", field, "Forbidden", detail);
    }

    void invalid(String field, JsonNode value, String detail) {
        add("FieldValueInvalid", field, "Invalid value: " + value, detail);
    }

    void invalid(String field, String value, String detail) {
        invalid(field, JsonNodeFactory.instance.stringNode(value), detail);
    }

    void typeInvalid(String field, String value, String detail) {
        add("FieldValueTypeInvalid", field, "Invalid value: " + quoted(value), detail);
    }

    void notSupported(String field, JsonNode value, List<String> supported) {
        String list = supported.stream().map(FieldErrors::quoted).collect(Collectors.joining(", "));
        add("FieldValueNotSupported", field, "Unsupported value: " + value, "supported values: " + list);
    }

    void duplicate(String field, JsonNode value) {
        add("FieldValueDuplicate", field, "Duplicate value: " + value, "");
    }

    void tooLong(String field, long max) {
        add("FieldValueTooLong", field, "Too long", "may not be more than " + max + (max == 1 ? " byte" : " bytes"));
    }

    void tooMany(String field, long actual, long max) {
        add(
                "FieldValueTooMany",
                field,
                "Too many: " + actual,
                "must have at most " + max + (max == 1 ? " item" : " items"));
    }

    static String quoted(String text) {
        return JsonNodeFactory.instance.stringNode(text).toString();
    }

    private void add(String reason, String field, String what, String detail) {
        causes.add(new ApiException.Cause(reason, detail.isEmpty() ? what : what + ": " + detail, field));
    }
}
