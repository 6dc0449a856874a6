package io.atoll.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Cuts objects out of encoded lists and watch events without building trees. Stateless. */
final class JsonBytes {
    static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonBytes() {}

    static ObjectNode object(byte[] json) {
        JsonNode tree = MAPPER.readTree(json);
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException("not a JSON object");
    }

    /** A watch event: its type, and its object's bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    record Event(String type, byte[] object) {}

    static Event event(byte[] json) {
        String type = "";
        byte[] object = {};
        try (JsonParser parser = MAPPER.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (field.equals("type")) {
                    type = parser.getString();
                } else if (field.equals("object")) {
                    object = slice(json, parser);
                } else {
                    parser.skipChildren();
                }
            }
        }
        return new Event(type, object);
    }

    /** The items of a list object, and the list's resourceVersion and continue token. */
    record Page(List<byte[]> items, String resourceVersion, String token) {}

    static Page page(byte[] json, String apiVersion, String kind) {
        List<byte[]> items = new ArrayList<>();
        String resourceVersion = "";
        String token = "";
        try (JsonParser parser = MAPPER.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                        String inner = parser.currentName();
                        parser.nextToken();
                        if (inner.equals("resourceVersion")) {
                            resourceVersion = parser.getString();
                        } else if (inner.equals("continue")) {
                            token = parser.getString();
                        } else {
                            parser.skipChildren();
                        }
                    }
                } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        items.add(withKind(slice(json, parser), apiVersion, kind));
                    }
                } else {
                    parser.skipChildren();
                }
            }
        }
        return new Page(items, resourceVersion, token);
    }

    private static byte[] slice(byte[] json, JsonParser parser) {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        int to = (int) parser.currentLocation().getByteOffset();
        return java.util.Arrays.copyOfRange(json, from, to);
    }

    /** Items of a typed list may come without kind and apiVersion; objects in a cache have them. */
    private static byte[] withKind(byte[] object, String apiVersion, String kind) {
        try (JsonParser parser = MAPPER.createParser(object)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                if (parser.currentName().equals("kind")) {
                    return object;
                }
                parser.nextToken();
                parser.skipChildren();
            }
        }
        String separator = object.length > 2 ? "," : "";
        byte[] head = ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\"" + separator)
                .getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[head.length + object.length - 1];
        System.arraycopy(head, 0, out, 0, head.length);
        System.arraycopy(object, 1, out, head.length, object.length - 1);
        return out;
    }
}
