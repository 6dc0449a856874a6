package io.atoll.model.schema;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;

/**
 * The rules that a CustomResourceDefinition's schema has to keep: only known types and keywords, a type for every
 * field, and nothing under a combinator that the structure itself does not specify. For one check.
 */
final class StructuralRules {
    private static final Set<String> TYPES = Set.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> UNSUPPORTED =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
    private static final List<String> COMBINATORS = List.of("anyOf", "allOf", "oneOf");

    private enum Level {
        ROOT,
        ITEM,
        FIELD
    }

    private final FieldErrors errors;

    StructuralRules(FieldErrors errors) {
        this.errors = errors;
    }

    void check(JsonNode root, String path) {
        if (root.path("nullable").asBoolean(false)) {
            errors.forbidden(path + ".nullable", "nullable cannot be true at the root");
        }
        structure(root, Level.ROOT, path);
    }

    private void structure(JsonNode node, Level level, String path) {
        keywords(node, path);
        String type = node.path("type").asString("");
        if (type.equals("array") && !node.path("items").isObject()) {
            errors.required(path + ".items", "must be specified");
        }
        type(node, type, level, path);
        extensions(node, type, path);
        lists(node, type, path);
        boolean embedded = flag(node, "x-kubernetes-embedded-resource");
        resource(node, level == Level.ROOT, embedded, path);
        combinators(node, path);
        complete(node, node, path, path);
        if (node.path("items").isObject()) {
            structure(node.path("items"), Level.ITEM, path + ".items");
        }
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            structure(property.getValue(), Level.FIELD, path + ".properties[" + property.getKey() + "]");
        }
        if (node.path("additionalProperties").isObject()) {
            structure(node.path("additionalProperties"), Level.FIELD, path + ".additionalProperties");
        }
    }

    private void type(JsonNode node, String type, Level level, String path) {
        if (!type.isEmpty() && !TYPES.contains(type)) {
            errors.notSupported(
                    path + ".type", node.path("type"), TYPES.stream().sorted().toList());
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            errors.invalid(path + ".type", type, "must be object at the root");
        }
        boolean open = flag(node, "x-kubernetes-int-or-string") || flag(node, "x-kubernetes-preserve-unknown-fields");
        if (flag(node, "x-kubernetes-embedded-resource") && !type.equals("object")) {
            mustBe(type, "object", "must be object if x-kubernetes-embedded-resource is true", path);
        } else if (type.isEmpty() && !open) {
            errors.required(
                    path + ".type",
                    switch (level) {
                        case ROOT -> "must not be empty at the root";
                        case ITEM -> "must not be empty for specified array items";
                        case FIELD -> "must not be empty for specified object fields";
                    });
        }
    }

    /** Keywords that are refused wherever they stand. */
    private void keywords(JsonNode node, String path) {
        for (String keyword : UNSUPPORTED) {
            if (node.has(keyword)) {
                errors.forbidden(path + "." + keyword, keyword + " is not supported");
            }
        }
        if (node.path("items").isArray()) {
            errors.forbidden(path + ".items", "items must be a schema object and not an array");
        }
        if (flag(node, "uniqueItems")) {
            errors.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        String pattern = node.path("pattern").asString("");
        try {
            GoPattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            errors.invalid(
                    path + ".pattern",
                    pattern,
                    "must be a valid regular expression, but isn't: error parsing regexp: " + e.getDescription());
        }
    }

    private void extensions(JsonNode node, String type, String path) {
        JsonNode preserve = node.path("x-kubernetes-preserve-unknown-fields");
        if (preserve.isBoolean() && !preserve.booleanValue()) {
            errors.invalid(path + ".x-kubernetes-preserve-unknown-fields", preserve, "must be true or undefined");
        }
        if (flag(node, "x-kubernetes-int-or-string")) {
            for (String other : List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
                if (flag(node, other)) {
                    errors.invalid(
                            path + "." + other,
                            node.path(other),
                            "must be false if x-kubernetes-int-or-string is true");
                }
            }
        }
        JsonNode mapType = node.path("x-kubernetes-map-type");
        if (!mapType.isMissingNode()) {
            mustBe(type, "object", "must be object if x-kubernetes-map-type is specified", path);
            oneOf(mapType, List.of("atomic", "granular"), path + ".x-kubernetes-map-type");
        }
        if (!node.path("properties").isEmpty()
                && node.path("additionalProperties").isObject()) {
            errors.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
        }
    }

    private void lists(JsonNode node, String type, String path) {
        JsonNode listType = node.path("x-kubernetes-list-type");
        JsonNode keys = node.path("x-kubernetes-list-map-keys");
        String typePath = path + ".x-kubernetes-list-type";
        String is = listType.asString("");
        if (!listType.isMissingNode()) {
            mustBe(type, "array", "must be array if x-kubernetes-list-type is specified", path);
            oneOf(listType, List.of("atomic", "set", "map"), typePath);
        }
        if (!keys.isEmpty() && !is.equals("map")) {
            String detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            if (is.isEmpty()) {
                errors.required(typePath, detail);
            } else {
                errors.invalid(typePath, is, detail);
            }
        }
        if ((is.equals("map") || is.equals("set")) && flag(node.path("items"), "nullable")) {
            errors.forbidden(path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + is);
        }
        if (is.equals("map")) {
            mapKeys(node, keys, path);
        }
    }

    private void mapKeys(JsonNode node, JsonNode keys, String path) {
        String keysPath = path + ".x-kubernetes-list-map-keys";
        JsonNode items = node.path("items");
        if (keys.isEmpty()) {
            errors.required(keysPath, "must not be empty if x-kubernetes-list-type is map");
        }
        String itemType = items.path("type").asString("");
        if (!itemType.equals("object")) {
            errors.invalid(
                    path + ".items.type", itemType, "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        List<String> required = items.path("required").values().stream()
                .map(one -> one.asString(""))
                .toList();
        for (JsonNode key : keys) {
            JsonNode property = items.path("properties").path(key.asString(""));
            String propertyPath = path + ".items.properties[" + key.asString("") + "]";
            if (property.isMissingNode()) {
                errors.invalid(keysPath, keys, "entries must all be names of item properties");
            } else if (Set.of("array", "object").contains(property.path("type").asString(""))) {
                errors.invalid(
                        propertyPath + ".type",
                        itemType,
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            } else if (!required.contains(key.asString("")) && !property.has("default")) {
                errors.required(
                        propertyPath + ".default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property");
            } else if (flag(property, "nullable")) {
                errors.forbidden(
                        propertyPath + ".nullable",
                        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
            }
        }
    }

    private void resource(JsonNode node, boolean root, boolean embedded, String path) {
        JsonNode properties = node.path("properties");
        if ((root || embedded) && node.has("additionalProperties")) {
            errors.forbidden(
                    path + ".additionalProperties",
                    root
                            ? "must not be used at the root"
                            : "must not be used if x-kubernetes-embedded-resource is set");
        }
        if (embedded && properties.isEmpty() && !flag(node, "x-kubernetes-preserve-unknown-fields")) {
            errors.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
        if (!root && !embedded) {
            return;
        }
        for (String name : List.of("kind", "apiVersion")) {
            String type = properties.path(name).path("type").asString("");
            if (properties.has(name) && !type.equals("string")) {
                errors.invalid(path + ".properties[" + name + "].type", type, "must be string");
            }
        }
        JsonNode metadata = properties.path("metadata");
        String metadataPath = path + ".properties[metadata]";
        String type = metadata.path("type").asString("");
        if (properties.has("metadata") && !type.equals("object")) {
            errors.invalid(metadataPath + ".type", type, "must be object");
        }
        boolean onlyNames = Set.of("name", "generateName")
                        .containsAll(metadata.path("properties").propertyNames())
                && Set.of("type", "properties", "description", "default").containsAll(metadata.propertyNames());
        if (root && properties.has("metadata") && (!onlyNames || metadata.has("description"))) {
            errors.forbidden(
                    metadataPath,
                    "must not specify anything other than name and generateName, but metadata is implicitly specified");
        }
    }

    private void combinators(JsonNode node, String path) {
        for (String combinator : COMBINATORS) {
            for (int i = 0; i < node.path(combinator).size(); i++) {
                boolean skipped = (combinator.equals("anyOf") && isIntOrString(node.path("anyOf")));
                if (!skipped) {
                    nested(node.path(combinator).get(i), path + "." + combinator + "[" + i + "]", i == 0);
                }
            }
        }
        if (node.path("not").isObject()) {
            nested(node.path("not"), path + ".not", false);
        }
    }

    /** What stands under a combinator may restrict values, not shape them. */
    private void nested(JsonNode node, String path, boolean mayBeIntOrString) {
        keywords(node, path);
        for (String keyword : List.of("type", "title", "description")) {
            if (!node.path(keyword).asString("").isEmpty()) {
                errors.forbidden(path + "." + keyword, "must be empty to be structural");
            }
        }
        for (String keyword :
                List.of("additionalProperties", "default", "x-kubernetes-list-type", "x-kubernetes-map-type")) {
            if (node.has(keyword)) {
                errors.forbidden(path + "." + keyword, "must be undefined to be structural");
            }
        }
        for (String keyword : List.of(
                "nullable",
                "x-kubernetes-preserve-unknown-fields",
                "x-kubernetes-embedded-resource",
                "x-kubernetes-int-or-string")) {
            if (flag(node, keyword)) {
                errors.forbidden(path + "." + keyword, "must be false to be structural");
            }
        }
        for (String keyword : List.of("x-kubernetes-list-map-keys", "x-kubernetes-validations")) {
            if (!node.path(keyword).isEmpty()) {
                errors.forbidden(path + "." + keyword, "must be empty to be structural");
            }
        }
        if (node.path("properties").has("metadata")) {
            errors.forbidden(path + ".properties[metadata]", "must not be specified in a nested context");
        }
        if (!(mayBeIntOrString && isIntOrString(node.path("anyOf")))) {
            combinators(node, path);
        }
        if (node.path("items").isObject()) {
            nested(node.path("items"), path + ".items", false);
        }
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            nested(property.getValue(), path + ".properties[" + property.getKey() + "]", false);
        }
    }

    /** Everything that a combinator speaks of must be specified in the structure too. */
    private void complete(JsonNode rules, JsonNode structure, String structurePath, String rulesPath) {
        for (String combinator : COMBINATORS) {
            for (int i = 0; i < rules.path(combinator).size(); i++) {
                completeNested(
                        rules.path(combinator).get(i),
                        structure,
                        structurePath,
                        rulesPath + "." + combinator + "[" + i + "]");
            }
        }
        if (rules.path("not").isObject()) {
            completeNested(rules.path("not"), structure, structurePath, rulesPath + ".not");
        }
    }

    private void completeNested(JsonNode rules, JsonNode structure, String structurePath, String rulesPath) {
        if (structure.isMissingNode()) {
            errors.required(structurePath, "because it is defined in " + rulesPath);
            return;
        }
        complete(rules, structure, structurePath, rulesPath);
        if (rules.path("items").isObject()) {
            completeNested(
                    rules.path("items"), structure.path("items"), structurePath + ".items", rulesPath + ".items");
        }
        for (Map.Entry<String, JsonNode> property : rules.path("properties").properties()) {
            String name = ".properties[" + property.getKey() + "]";
            completeNested(
                    property.getValue(),
                    structure.path("properties").path(property.getKey()),
                    structurePath + name,
                    rulesPath + name);
        }
    }

    private void mustBe(String actual, String expected, String detail, String path) {
        if (actual.isEmpty()) {
            errors.required(path + ".type", detail);
        } else if (!actual.equals(expected)) {
            errors.invalid(path + ".type", actual, detail);
        }
    }

    private void oneOf(JsonNode value, List<String> supported, String path) {
        if (!supported.contains(value.asString(""))) {
            errors.notSupported(path, value, supported);
        }
    }

    private static boolean flag(JsonNode node, String name) {
        return node.path(name).asBoolean(false);
    }

    /** The customary {@code anyOf} of an integer and a string. */
    static boolean isIntOrString(JsonNode anyOf) {
        return anyOf.size() == 2
                && anyOf.get(0).size() == 1
                && anyOf.get(0).path("type").asString("").equals("integer")
                && anyOf.get(1).size() == 1
                && anyOf.get(1).path("type").asString("").equals("string");
    }
}
