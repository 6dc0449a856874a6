package io.atoll.model.schema;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks a custom resource against its schema's keywords, worded as Kubernetes' validator words them. For one check. */
final class ValueCheck {
    private final FieldErrors errors;

    ValueCheck(FieldErrors errors) {
        this.errors = errors;
    }

    /** Checks a value at a path; the root's is empty. */
    void check(Schema schema, JsonNode value, String path) {
        if (schema.builtIn()) {
            combinators(schema.validation(), value, path); // object metadata: the server's own code checks the rest
            return;
        }
        if (!type(schema, value, path)) {
            return;
        }
        enumeration(schema, value, path);
        keywords(schema.validation(), value, path);
        structure(schema, value, path);
        combinators(schema.validation(), value, path);
    }

    private void structure(Schema schema, JsonNode value, String path) {
        if (value.isArray() && schema.items() != null) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.items(), value.get(i), path + "[" + i + "]");
            }
        }
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                Schema known = schema.property(field.getKey());
                if (known != null) {
                    check(known, field.getValue(), child(path, field.getKey()));
                }
            }
            for (String name : schema.required()) {
                if (!value.has(name)) {
                    errors.required(child(path, name), "");
                }
            }
        }
    }

    /** Whether the value has one of the schema's types; says so if not. */
    private boolean type(Schema schema, JsonNode value, String path) {
        if (value.isNull()) {
            boolean fits = schema.nullable() || (schema.type() == Schema.Type.ANY && !schema.intOrString());
            if (!fits) {
                typeError(path, typeName(schema), "null");
            }
            return false;
        }
        if (fits(schema, value)) {
            if (value.isString() && !Formats.matches(schema.format(), value.stringValue())) {
                String text = value.stringValue();
                errors.typeInvalid(
                        field(path),
                        text,
                        path + " in body must be of type " + schema.format() + ": " + FieldErrors.quoted(text));
            }
            return true;
        }
        boolean formatted = !schema.format().isEmpty() && !value.isString() && !value.isArray();
        typeError(path, formatted ? schema.format() : typeName(schema), formatted ? goFormat(value) : jsonType(value));
        return false;
    }

    private static boolean fits(Schema schema, JsonNode value) {
        if (schema.intOrString()) {
            return value.isString() || isInteger(value);
        }
        return switch (schema.type()) {
            case ANY -> true;
            case OBJECT -> value.isObject();
            case ARRAY -> value.isArray();
            case STRING -> value.isString();
            case INTEGER -> isInteger(value);
            case NUMBER -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
        };
    }

    private static boolean isInteger(JsonNode value) {
        return value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    private void typeError(String path, String expected, String actual) {
        errors.typeInvalid(
                field(path), actual, path + " in body must be of type " + expected + ": " + FieldErrors.quoted(actual));
    }

    private static String typeName(Schema schema) {
        return schema.intOrString() ? "integer,string" : schema.type().json();
    }

    private static String jsonType(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case STRING -> "string";
            case NULL -> "null";
            default -> "object";
        };
    }

    private static String goFormat(JsonNode value) {
        return value.isNumber() ? (value.isIntegralNumber() ? "int64" : "float64") : "";
    }

    private void enumeration(Schema schema, JsonNode value, String path) {
        List<JsonNode> allowed = schema.enumValues();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(one -> io.atoll.model.Json.same(one, value))) {
            errors.notSupported(
                    field(path),
                    value,
                    allowed.stream()
                            .map(one -> one.isString() ? one.stringValue() : one.toString())
                            .toList());
        }
    }

    private void keywords(Validation rules, JsonNode value, String path) {
        if (value.isString()) {
            text(rules, value, path);
        } else if (value.isNumber()) {
            number(rules, value, path);
        } else if (value.isArray()) {
            size(rules.minItems(), rules.maxItems(), value.size(), path, "items");
        } else if (value.isObject()) {
            size(rules.minProperties(), rules.maxProperties(), value.size(), path, "properties");
        }
    }

    private void text(Validation rules, JsonNode value, String path) {
        String text = value.stringValue();
        long length = text.codePointCount(0, text.length());
        if (rules.maxLength() != null && length > rules.maxLength()) {
            errors.tooLong(field(path), rules.maxLength());
        }
        if (rules.minLength() != null && length < rules.minLength()) {
            errors.invalid(
                    field(path), value, path + " in body should be at least " + rules.minLength() + " chars long");
        }
        if (rules.pattern() != null && !rules.pattern().occursIn(text)) {
            errors.invalid(field(path), value, path + " in body should match '" + rules.pattern() + "'");
        }
    }

    private void number(Validation rules, JsonNode value, String path) {
        BigDecimal number = value.decimalValue();
        BigDecimal maximum = rules.maximum();
        if (maximum != null && exceeds(number.compareTo(maximum), rules.exclusiveMaximum())) {
            String relation = rules.exclusiveMaximum() ? "less than " : "less than or equal to ";
            errors.invalid(field(path), value, path + " in body should be " + relation + plain(maximum));
        }
        BigDecimal minimum = rules.minimum();
        if (minimum != null && exceeds(minimum.compareTo(number), rules.exclusiveMinimum())) {
            String relation = rules.exclusiveMinimum() ? "greater than " : "greater than or equal to ";
            errors.invalid(field(path), value, path + " in body should be " + relation + plain(minimum));
        }
        BigDecimal factor = rules.multipleOf();
        if (factor != null && factor.signum() > 0 && number.remainder(factor).signum() != 0) {
            errors.invalid(field(path), value, path + " in body should be a multiple of " + plain(factor));
        }
    }

    private static boolean exceeds(int comparison, boolean exclusive) {
        return exclusive ? comparison >= 0 : comparison > 0;
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    private void size(@Nullable Long min, @Nullable Long max, long actual, String path, String what) {
        if (min != null && actual < min) {
            errors.invalid(
                    field(path),
                    tools.jackson.databind.node.JsonNodeFactory.instance.numberNode(actual),
                    path + " in body should have at least " + min + " " + what);
        }
        if (max != null && actual > max) {
            errors.tooMany(field(path), actual, max);
        }
    }

    /** The combinators. Kubernetes reports them without a field. */
    private void combinators(Validation rules, JsonNode value, String path) {
        if (!rules.anyOf().isEmpty()) {
            List<FieldErrors> tried =
                    rules.anyOf().stream().map(one -> trial(one, value, path)).toList();
            if (tried.stream().noneMatch(FieldErrors::isEmpty)) {
                composite(FieldErrors.quoted(path) + " must validate at least one schema (anyOf)");
                errors.addAll(tried.getFirst());
            }
        }
        if (!rules.oneOf().isEmpty()) {
            List<FieldErrors> tried =
                    rules.oneOf().stream().map(one -> trial(one, value, path)).toList();
            long valid = tried.stream().filter(FieldErrors::isEmpty).count();
            if (valid != 1) {
                composite(FieldErrors.quoted(path) + " must validate one and only one schema (oneOf). "
                        + (valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives"));
                if (valid == 0) {
                    errors.addAll(tried.getFirst());
                }
            }
        }
        if (!rules.allOf().isEmpty()) {
            List<FieldErrors> tried =
                    rules.allOf().stream().map(one -> trial(one, value, path)).toList();
            if (!tried.stream().allMatch(FieldErrors::isEmpty)) {
                tried.forEach(errors::addAll);
                boolean none = tried.stream().noneMatch(FieldErrors::isEmpty);
                composite(FieldErrors.quoted(path) + " must validate all the schemas (allOf)"
                        + (none ? ". None validated" : ""));
            }
        }
        Schema not = rules.not();
        if (not != null && trial(not, value, path).isEmpty()) {
            composite(FieldErrors.quoted(path) + " must not validate the schema (not)");
        }
    }

    private static FieldErrors trial(Schema schema, JsonNode value, String path) {
        FieldErrors found = new FieldErrors();
        new ValueCheck(found).check(schema, value, path);
        return found;
    }

    private void composite(String message) {
        errors.invalid("<nil>", "", message);
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String field(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }
}
