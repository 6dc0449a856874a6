package io.atoll.syncer;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that a ConfigMap's or Secret's host object has from the tenant's.
 *
 * @param names what is taken over, {@code immutable} among it
 */
record DataFields(List<String> names) {
    DataFields {
        names = List.copyOf(names);
    }

    static DataFields of(String... names) {
        return new DataFields(List.of(names));
    }

    void copy(ObjectNode from, ObjectNode into) {
        for (String field : names) {
            JsonNode value = from.get(field);
            if (value == null) {
                into.remove(field);
            } else {
                into.set(field, value.deepCopy());
            }
        }
    }

    /** Copies onto an object that is on the host; false when the host would refuse the change. */
    boolean update(ObjectNode hostObject, ObjectNode wanted) {
        boolean frozen = hostObject.path("immutable").asBoolean(false);
        copy(wanted, hostObject);
        return !frozen || hostObject.path("immutable").asBoolean(false);
    }
}
