package io.atoll.apiserver.table;

import io.atoll.model.Json;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/**
 * Metadata-only forms of encoded objects. Only {@code metadata} is parsed: it comes right after {@code kind} and
 * {@code apiVersion} in every stored object, so the rest is never read.
 */
final class PartialObject {
    private PartialObject() {}

    /** The object as a {@code meta.k8s.io/v1 PartialObjectMetadata}. */
    static ObjectNode of(byte[] object) {
        ObjectNode partial = Json.object();
        partial.put("kind", "PartialObjectMetadata");
        partial.put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", metadata(object));
        return partial;
    }

    private static ObjectNode metadata(byte[] object) {
        int start = metadataStart(object);
        return Json.parse(Arrays.copyOfRange(object, start, end(object, start)));
    }

    /** Where the value of the object's own {@code metadata} starts. */
    private static int metadataStart(byte[] object) {
        int depth = 0;
        for (int i = 0; i < object.length; i++) {
            switch (object[i]) {
                case '"' -> {
                    int close = stringEnd(object, i);
                    if (depth == 1 && isMetadataKey(object, i, close)) {
                        return close + 2;
                    }
                    i = close;
                }
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
        }
        throw new IllegalArgumentException("an encoded object without metadata");
    }

    /** Where the value that starts here ends. */
    private static int end(byte[] object, int start) {
        int depth = 0;
        for (int i = start; i < object.length; i++) {
            switch (object[i]) {
                case '"' -> i = stringEnd(object, i);
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (--depth == 0) {
                        return i + 1;
                    }
                }
                default -> {}
            }
        }
        throw new IllegalArgumentException("an encoded object with unclosed metadata");
    }

    private static int stringEnd(byte[] object, int open) {
        int i = open + 1;
        while (object[i] != '"') {
            i += object[i] == '\\' ? 2 : 1;
        }
        return i;
    }

    private static boolean isMetadataKey(byte[] object, int open, int close) {
        String key = "metadata";
        if (close - open - 1 != key.length() || close + 1 >= object.length || object[close + 1] != ':') {
            return false;
        }
        for (int i = 0; i < key.length(); i++) {
            if (object[open + 1 + i] != key.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
