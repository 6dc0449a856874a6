package io.atoll.controllers;

import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A short name for a pod template, in the alphabet that Kubernetes uses for it. Stateless. */
final class TemplateHash {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private TemplateHash() {}

    /** @param collisions how often the name turned out to be taken by another template */
    static String of(JsonNode template, int collisions) {
        int hash = FNV_OFFSET;
        String text = Json.encodeToString(sorted(template)) + (collisions > 0 ? "#" + collisions : "");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        StringBuilder name = new StringBuilder();
        for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
            name.append(ALPHABET.charAt(digit % ALPHABET.length()));
        }
        return name.toString();
    }

    /** With fields in one order, for the order they were written in must not matter. */
    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>(object.propertyNames());
            names.sort(null);
            ObjectNode copy = Json.object();
            for (String name : names) {
                copy.set(name, sorted(object.path(name)));
            }
            return copy;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode copy = Json.array();
            array.forEach(item -> copy.add(sorted(item)));
            return copy;
        }
        return node;
    }
}
