package io.atoll.apiserver.crd;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.model.Metadata;
import io.atoll.model.Names;
import io.atoll.model.schema.StructuralSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a CustomResourceDefinition may hold. Stateless. */
final class DefinitionRules {
    private DefinitionRules() {}

    static void validate(ObjectNode definition, Mistakes mistakes) {
        JsonNode spec = definition.path("spec");
        String group = spec.path("group").asString("");
        String plural = spec.path("names").path("plural").asString("");
        String name = Metadata.name(definition);
        if (!name.equals(plural + "." + group)) {
            mistakes.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
        }
        if (group.isEmpty()) {
            mistakes.required("spec.group", "");
        } else if (!group.contains(".")) {
            mistakes.invalid("spec.group", group, "should be a domain with at least one dot");
        }
        scope(spec.path("scope"), mistakes);
        names(spec.path("names"), mistakes);
        versions(spec.path("versions"), mistakes);
    }

    private static void scope(JsonNode scope, Mistakes mistakes) {
        String text = scope.asString("");
        if (text.isEmpty()) {
            mistakes.required("spec.scope", "");
        } else if (!text.equals("Cluster") && !text.equals("Namespaced")) {
            mistakes.unsupported("spec.scope", text, List.of("Cluster", "Namespaced"));
        }
    }

    private static void names(JsonNode names, Mistakes mistakes) {
        for (String field : new String[] {"plural", "singular", "kind", "listKind"}) {
            String path = "spec.names." + field;
            String value = names.path(field).asString("");
            if (value.isEmpty()) {
                mistakes.required(path, "");
                continue;
            }
            Names.dns1035LabelErrors(value.toLowerCase(java.util.Locale.ROOT))
                    .forEach(error -> mistakes.invalid(path, value, error));
        }
    }

    private static void versions(JsonNode versions, Mistakes mistakes) {
        int storage = 0;
        Set<String> seen = new HashSet<>();
        int at = 0;
        for (JsonNode version : versions) {
            String path = "spec.versions[" + at++ + "]";
            String name = version.path("name").asString("");
            Names.dns1035LabelErrors(name).forEach(error -> mistakes.invalid(path + ".name", name, error));
            if (!seen.add(name)) {
                mistakes.duplicate(path + ".name", name);
            }
            storage += version.path("storage").asBoolean(false) ? 1 : 0;
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            String where = path + ".schema.openAPIV3Schema";
            if (!schema.isObject()) {
                mistakes.required(where, "schemas are required");
                continue;
            }
            mistakes.addAll(StructuralSchema.check(schema, where));
        }
        if (storage != 1) {
            mistakes.invalid("spec.versions", versions, "must have exactly one version marked as storage version");
        }
    }
}
