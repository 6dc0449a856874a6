package io.atoll.apiserver.crd;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * CustomResourceDefinitions. Their conditions are decided as they are written, so a definition is established the moment
 * it is created.
 */
public final class DefinitionStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.GENERATION);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode definition) {
        if (!(definition.get("spec") instanceof ObjectNode spec)) {
            return;
        }
        ObjectNode names = Json.child(spec, "names");
        String kind = names.path("kind").asString("");
        if (!names.has("singular")) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (!names.has("listKind") && !kind.isEmpty()) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
    }

    @Override
    public void prepareCreate(Write write, ObjectNode definition) {
        definition.putObject("status");
        decide(write, definition);
        List<String> finalizers = new ArrayList<>(Metadata.finalizers(definition));
        if (!finalizers.contains(CustomTypes.CLEANUP)) {
            finalizers.add(CustomTypes.CLEANUP);
            Metadata.setFinalizers(definition, finalizers);
        }
    }

    @Override
    public void prepareUpdate(Write write, ObjectNode definition, ObjectNode before) {
        decide(write, definition);
        if (!Metadata.deleting(before) && Metadata.finalizers(before).contains(CustomTypes.CLEANUP)) {
            List<String> finalizers = new ArrayList<>(Metadata.finalizers(definition));
            if (!finalizers.contains(CustomTypes.CLEANUP)) {
                finalizers.add(CustomTypes.CLEANUP);
                Metadata.setFinalizers(definition, finalizers);
            }
        }
    }

    @Override
    public void beginDelete(Write write, ObjectNode definition) {
        condition(
                write,
                definition,
                "Terminating",
                "True",
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress");
    }

    @Override
    public void committed(Write write) {
        write.registry().customTypes().refresh();
    }

    private static void decide(Write write, ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        ObjectNode status = Json.child(definition, "status");
        String conflict = conflict(write, definition);
        if (conflict.isEmpty()) {
            status.set("acceptedNames", spec.path("names").deepCopy());
            condition(write, definition, "NamesAccepted", "True", "NoConflicts", "no conflicts found");
            condition(
                    write,
                    definition,
                    "Established",
                    "True",
                    "InitialNamesAccepted",
                    "the initial names have been accepted");
        } else {
            condition(write, definition, "NamesAccepted", "False", "NamesConflict", conflict);
            if (!CustomEndpoints.isEstablished(definition)) {
                ObjectNode accepted = Json.child(status, "acceptedNames");
                accepted.put("plural", "").put("kind", "");
                condition(write, definition, "Established", "False", "NotAccepted", "not all names are accepted");
            }
        }
        ArrayNode stored = status.withArray("storedVersions");
        for (JsonNode version : spec.path("versions")) {
            String name = version.path("name").asString("");
            if (version.path("storage").asBoolean(false)
                    && !CustomEndpoints.strings(stored).contains(name)) {
                stored.add(name);
            }
        }
    }

    /** What another definition of the same group has taken already. */
    private static String conflict(Write write, ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        JsonNode names = spec.path("names");
        for (CachedObject object : write.registry().list(CustomTypes.DEFINITIONS, "")) {
            ObjectNode other = object.tree();
            JsonNode taken = other.path("status").path("acceptedNames");
            if (object.name().equals(Metadata.name(definition))
                    || !other.path("spec").path("group").equals(spec.path("group"))) {
                continue;
            }
            List<String> words = new ArrayList<>(CustomEndpoints.strings(taken.path("shortNames")));
            words.add(taken.path("plural").asString(""));
            words.add(taken.path("singular").asString(""));
            List<String> wanted = new ArrayList<>(CustomEndpoints.strings(names.path("shortNames")));
            wanted.add(names.path("plural").asString(""));
            wanted.add(names.path("singular").asString(""));
            for (String word : wanted) {
                if (words.contains(word)) {
                    return "\"" + word + "\" is already in use";
                }
            }
            for (String field : new String[] {"kind", "listKind"}) {
                if (names.path(field).equals(taken.path(field))) {
                    return "\"" + names.path(field).asString("") + "\" is already in use";
                }
            }
        }
        return "";
    }

    private static void condition(
            Write write, ObjectNode definition, String type, String value, String reason, String message) {
        ArrayNode conditions = Json.child(definition, "status").withArray("conditions");
        ObjectNode found = null;
        for (JsonNode condition : conditions) {
            if (condition.path("type").asString("").equals(type)) {
                found = (ObjectNode) condition;
            }
        }
        if (found == null) {
            found = conditions.addObject().put("type", type);
        }
        if (!found.path("status").asString("").equals(value)) {
            found.put("lastTransitionTime", write.registry().now());
        }
        found.put("status", value).put("reason", reason).put("message", message);
    }

    @Override
    public void validate(ObjectNode definition, Mistakes mistakes) {
        DefinitionRules.validate(definition, mistakes);
    }

    @Override
    public void validateUpdate(Write write, ObjectNode definition, ObjectNode before, Mistakes mistakes) {
        JsonNode spec = definition.path("spec");
        JsonNode old = before.path("spec");
        if (!CustomEndpoints.isEstablished(before)) {
            return;
        }
        if (!spec.path("scope").equals(old.path("scope"))) {
            mistakes.immutable("spec.scope", spec.path("scope"));
        }
        if (!spec.path("names").path("kind").equals(old.path("names").path("kind"))) {
            mistakes.immutable("spec.names.kind", spec.path("names").path("kind"));
        }
        List<String> versions = new ArrayList<>();
        spec.path("versions")
                .forEach(version -> versions.add(version.path("name").asString("")));
        int at = 0;
        for (String stored : CustomEndpoints.strings(before.path("status").path("storedVersions"))) {
            if (!versions.contains(stored)) {
                mistakes.invalid(
                        "status.storedVersions[" + at + "]",
                        stored,
                        "missing from spec.versions; " + stored
                                + " was previously a storage version, and must remain in spec.versions until a storage"
                                + " migration ensures no data remains persisted in " + stored + " and removes " + stored
                                + " from status.storedVersions");
            }
            at++;
        }
    }
}
