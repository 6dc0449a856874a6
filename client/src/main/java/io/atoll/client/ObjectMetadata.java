package io.atoll.client;

import io.atoll.model.Metadata.OwnerReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The part of {@code metadata} that caches and event handlers look at, read without parsing the rest. Immutable.
 *
 * <p>Annotations and managed fields are left out: they are big and rarely asked for.
 *
 * @param namespace empty for cluster-scoped objects
 * @param deletionTimestamp empty unless the object is being deleted
 */
public record ObjectMetadata(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        long generation,
        Map<String, String> labels,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        String creationTimestamp,
        String deletionTimestamp) {

    public boolean deleting() {
        return !deletionTimestamp.isEmpty();
    }

    /** The owner that manages this object. */
    public Optional<OwnerReference> controller() {
        for (OwnerReference owner : ownerReferences) {
            if (owner.controller()) {
                return Optional.of(owner);
            }
        }
        return Optional.empty();
    }

    /** Reads it off an encoded object; fields that are missing read as empty. */
    public static ObjectMetadata read(byte[] json) {
        try (JsonParser parser = JsonBytes.MAPPER.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    boolean found = parser.currentName().equals("metadata");
                    JsonToken value = parser.nextToken();
                    if (found && value == JsonToken.START_OBJECT) {
                        return readFields(parser);
                    }
                    parser.skipChildren();
                }
            }
            return new Fields().build();
        }
    }

    private static ObjectMetadata readFields(JsonParser parser) {
        Fields fields = new Fields();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "namespace" -> fields.namespace = text(parser);
                case "name" -> fields.name = text(parser);
                case "uid" -> fields.uid = text(parser);
                case "resourceVersion" -> fields.resourceVersion = text(parser);
                case "generation" -> fields.generation = parser.getValueAsLong();
                case "creationTimestamp" -> fields.creationTimestamp = text(parser);
                case "deletionTimestamp" -> fields.deletionTimestamp = text(parser);
                case "labels" -> fields.labels = strings(parser);
                case "finalizers" -> fields.finalizers = list(parser);
                case "ownerReferences" -> fields.ownerReferences = owners(parser);
                default -> parser.skipChildren();
            }
        }
        return fields.build();
    }

    private static String text(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return "";
        }
        String value = parser.getValueAsString();
        parser.skipChildren();
        return value == null ? "" : value;
    }

    private static Map<String, String> strings(JsonParser parser) {
        Map<String, String> map = new LinkedHashMap<>();
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = parser.currentName();
                parser.nextToken();
                map.put(key, text(parser));
            }
        }
        return Map.copyOf(map);
    }

    private static List<String> list(JsonParser parser) {
        List<String> list = new ArrayList<>();
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                list.add(text(parser));
            }
        }
        return List.copyOf(list);
    }

    private static List<OwnerReference> owners(JsonParser parser) {
        List<OwnerReference> owners = new ArrayList<>();
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                owners.add(owner(parser));
            }
        }
        return List.copyOf(owners);
    }

    private static OwnerReference owner(JsonParser parser) {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean controller = false;
        boolean blocks = false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "apiVersion" -> apiVersion = text(parser);
                case "kind" -> kind = text(parser);
                case "name" -> name = text(parser);
                case "uid" -> uid = text(parser);
                case "controller" -> controller = parser.currentToken() == JsonToken.VALUE_TRUE;
                case "blockOwnerDeletion" -> blocks = parser.currentToken() == JsonToken.VALUE_TRUE;
                default -> parser.skipChildren();
            }
        }
        return new OwnerReference(apiVersion, kind, name, uid, controller, blocks);
    }

    /** Collects the fields while they are read. */
    private static final class Fields {
        private String namespace = "";
        private String name = "";
        private String uid = "";
        private String resourceVersion = "";
        private long generation;
        private Map<String, String> labels = Map.of();
        private List<OwnerReference> ownerReferences = List.of();
        private List<String> finalizers = List.of();
        private String creationTimestamp = "";
        private String deletionTimestamp = "";

        ObjectMetadata build() {
            return new ObjectMetadata(
                    namespace,
                    name,
                    uid,
                    resourceVersion,
                    generation,
                    labels,
                    ownerReferences,
                    finalizers,
                    creationTimestamp,
                    deletionTimestamp);
        }
    }
}
