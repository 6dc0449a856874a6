package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Who owns which fields of an object: {@code metadata.managedFields}. Mutable; one thread. */
final class ManagedFields {
    /** Update entries beyond this many are joined into one, the oldest first. */
    private static final int UPDATERS_MAX = 10;

    private static final String JOINED = "ancient-changes";

    private final Map<Owner, Entry> entries = new LinkedHashMap<>();

    /**
     * Who wrote, and how.
     *
     * @param apiVersion empty for appliers: they are the same whatever version they apply
     * @param subresource empty for the object itself
     */
    record Owner(String manager, boolean applies, String apiVersion, String subresource) {
        /** As conflict messages name it. */
        String display() {
            String name = Json.encodeToString(tools.jackson.databind.node.StringNode.valueOf(manager));
            if (!subresource.isEmpty()) {
                name += " with subresource \"" + subresource + "\"";
            }
            return applies ? name : name + " using " + apiVersion;
        }
    }

    /**
     * What an owner owns.
     *
     * @param time RFC 3339, empty when not known
     */
    record Entry(FieldSet fields, String apiVersion, String time) {}

    /** Reads an object's; empty when the object has none, or none that can be read. */
    static ManagedFields of(@Nullable JsonNode object) {
        ManagedFields result = new ManagedFields();
        if (object != null) {
            for (JsonNode entry : object.path("metadata").path("managedFields")) {
                result.read(entry);
            }
        }
        return result;
    }

    /** As {@link #of}, but an entry that cannot be read makes it empty. */
    static Optional<ManagedFields> readable(JsonNode object) {
        try {
            ManagedFields fields = of(object);
            return fields.entries.isEmpty() ? Optional.empty() : Optional.of(fields);
        } catch (ApiException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether a write asks to forget all owners: an empty list, or a list of one empty entry. */
    static boolean isReset(JsonNode object) {
        JsonNode list = object.path("metadata").path("managedFields");
        return list.isArray()
                && (list.isEmpty()
                        || (list.size() == 1
                                && list.get(0).isObject()
                                && list.get(0).isEmpty()));
    }

    private void read(JsonNode entry) {
        boolean applies = switch (entry.path("operation").asString("")) {
            case "Apply" -> true;
            case "Update" -> false;
            default -> throw ApiException.badRequest("metadata.managedFields: operation must be `Apply` or `Update`");
        };
        String apiVersion = entry.path("apiVersion").asString("");
        Owner owner = new Owner(
                entry.path("manager").asString(""),
                applies,
                applies ? "" : apiVersion,
                entry.path("subresource").asString(""));
        FieldSet fields = FieldSet.parse(entry.path("fieldsV1"));
        entries.merge(
                owner,
                new Entry(fields, apiVersion, entry.path("time").asString("")),
                (one, other) -> new Entry(one.fields().union(other.fields()), other.apiVersion(), other.time()));
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Map<Owner, Entry> entries() {
        return entries;
    }

    FieldSet fields(Owner owner) {
        Entry entry = entries.get(owner);
        return entry == null ? FieldSet.EMPTY : entry.fields();
    }

    /**
     * Sets what an owner owns; owning nothing removes it.
     *
     * @param touched whether the write changed the object, else the owner's time stays
     */
    void set(Owner owner, String apiVersion, FieldSet fields, String time, boolean touched) {
        Entry present = entries.get(owner);
        if (fields.isEmpty()) {
            entries.remove(owner);
        } else {
            entries.put(owner, new Entry(fields, apiVersion, touched || present == null ? time : present.time()));
        }
    }

    /** Takes fields from an owner; its time stays. */
    void take(Owner owner, FieldSet fields) {
        Entry present = entries.get(owner);
        if (present == null) {
            return;
        }
        FieldSet rest = present.fields().difference(fields);
        if (rest.isEmpty()) {
            entries.remove(owner);
        } else {
            entries.put(owner, new Entry(rest, present.apiVersion(), present.time()));
        }
    }

    /** Joins the oldest updaters of one version while there are too many. */
    void joinOldUpdaters() {
        List<Map.Entry<Owner, Entry>> updaters = new ArrayList<>();
        for (Map.Entry<Owner, Entry> entry : sorted()) {
            if (!entry.getKey().applies() && !entry.getKey().manager().equals(JOINED)) {
                updaters.add(entry);
            }
        }
        int excess = updaters.size() - UPDATERS_MAX;
        for (int i = 0; i < excess; i++) {
            Owner old = updaters.get(i).getKey();
            Entry entry = updaters.get(i).getValue();
            entries.remove(old);
            Owner joined = new Owner(JOINED, false, old.apiVersion(), old.subresource());
            entries.merge(
                    joined,
                    entry,
                    (one, other) -> new Entry(one.fields().union(other.fields()), other.apiVersion(), other.time()));
        }
    }

    /** Writes them into an object, in Kubernetes' order; none removes the field. */
    void writeTo(ObjectNode object) {
        ObjectNode metadata = Metadata.of(object);
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
            return;
        }
        ArrayNode list = metadata.putArray("managedFields");
        for (Map.Entry<Owner, Entry> entry : sorted()) {
            Owner owner = entry.getKey();
            ObjectNode node = list.addObject();
            node.put("manager", owner.manager()).put("operation", owner.applies() ? "Apply" : "Update");
            node.put("apiVersion", entry.getValue().apiVersion());
            if (!entry.getValue().time().isEmpty()) {
                node.put("time", entry.getValue().time());
            }
            node.put("fieldsType", "FieldsV1");
            node.set("fieldsV1", entry.getValue().fields().toTree());
            if (!owner.subresource().isEmpty()) {
                node.put("subresource", owner.subresource());
            }
        }
    }

    private List<Map.Entry<Owner, Entry>> sorted() {
        return entries.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Owner, Entry>, Boolean>comparing(
                                entry -> !entry.getKey().applies())
                        .thenComparing(entry -> entry.getValue().time())
                        .thenComparing(entry -> entry.getKey().manager())
                        .thenComparing(entry -> entry.getKey().apiVersion())
                        .thenComparing(entry -> entry.getKey().subresource()))
                .toList();
    }
}
