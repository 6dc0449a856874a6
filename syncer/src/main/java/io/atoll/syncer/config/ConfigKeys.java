package io.atoll.syncer.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys that a configuration may have, from {@code keys.txt}: checks a tree against them and says all that is wrong.
 * Immutable; any thread.
 */
final class ConfigKeys {
    private static final int TYPO_DISTANCE_MAX = 3;

    private final Node root = new Node();
    private final List<String> paths = new ArrayList<>();

    /** What Atoll does with a key. */
    private enum Use {
        YES,
        IGNORED,
        NO
    }

    private record Key(String type, Use use, String note) {}

    private static final class Node {
        private final Map<String, Node> children = new LinkedHashMap<>();
        private @Nullable Key key;
    }

    /** Loaded when first needed. */
    private static final class Holder {
        static final ConfigKeys KEYS = new ConfigKeys();
    }

    private ConfigKeys() {
        try (InputStream in = ConfigKeys.class.getResourceAsStream("keys.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        java.util.Objects.requireNonNull(in, "keys.txt"), StandardCharsets.UTF_8))) {
            lines.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ConfigKeys all() {
        return Holder.KEYS;
    }

    /**
     * Checks a tree.
     *
     * @param mistakes gets what makes it unusable
     * @param warnings gets what will have no effect
     */
    void check(ObjectNode tree, List<String> mistakes, List<String> warnings) {
        checkObject(root, "", tree, mistakes, warnings);
    }

    private void add(String line) {
        String[] parts = line.split(" ", 4);
        Node node = root;
        for (String step : parts[0].split("\\.")) {
            node = node.children.computeIfAbsent(step, _ -> new Node());
        }
        Use use = switch (parts[2]) {
            case "yes" -> Use.YES;
            case "ignored" -> Use.IGNORED;
            case "no" -> Use.NO;
            default -> throw new IllegalStateException("keys.txt: " + line);
        };
        node.key = new Key(parts[1], use, parts.length > 3 ? parts[3] : "");
        paths.add(parts[0]);
    }

    private void checkObject(Node node, String path, ObjectNode object, List<String> mistakes, List<String> warnings) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            Node child = node.children.get(field.getKey());
            if (child == null) {
                child = node.children.get("*");
            }
            if (child == null) {
                mistakes.add("unknown key " + at + nearest(at));
            } else if (child.key != null) {
                checkValue(child.key, at, field.getValue(), mistakes, warnings);
            } else if (field.getValue() instanceof ObjectNode deeper) {
                checkObject(child, at, deeper, mistakes, warnings);
            } else if (!field.getValue().isNull()) {
                mistakes.add(at + " must have keys below it, not " + field.getValue());
            }
        }
    }

    private static void checkValue(Key key, String path, JsonNode value, List<String> mistakes, List<String> warnings) {
        if (value.isNull()) {
            return;
        }
        if (!fits(key.type, value)) {
            mistakes.add(path + " must be " + name(key.type) + ", not " + value);
            return;
        }
        String note = key.note.isEmpty() ? "" : ": " + key.note;
        if (key.use == Use.NO && switchedOn(value)) {
            mistakes.add(path + " is not supported" + note);
        } else if (key.use == Use.IGNORED) {
            warnings.add(path + " has no effect" + note);
        }
    }

    /** Whether a value asks for something: charts list many keys at their defaults. */
    private static boolean switchedOn(JsonNode value) {
        if (value.isObject() || value.isArray()) {
            for (JsonNode item : value) {
                if (switchedOn(item)) {
                    return true;
                }
            }
            return false;
        }
        if (value.isString()) {
            String text = value.stringValue();
            return !text.isEmpty() && !text.equals("auto") && !text.equals("false");
        }
        return value.asBoolean(true);
    }

    private static boolean fits(String type, JsonNode value) {
        return switch (type) {
            case "bool" -> value.isBoolean() || isBooleanText(value);
            case "auto" -> value.isBoolean() || isBooleanText(value) || "auto".equals(value.asString(""));
            case "text" -> value.isValueNode();
            case "number" -> value.isNumber();
            case "list" -> value.isArray();
            case "map" -> value.isObject();
            case "boolOrList" -> value.isBoolean() || isBooleanText(value) || value.isArray();
            default -> true;
        };
    }

    private static boolean isBooleanText(JsonNode value) {
        String text = value.isString() ? value.stringValue() : "";
        return text.equals("true") || text.equals("false");
    }

    private static String name(String type) {
        return switch (type) {
            case "bool" -> "true or false";
            case "auto" -> "true, false or auto";
            case "text" -> "text";
            case "number" -> "a number";
            case "list" -> "a list";
            case "map" -> "a map";
            default -> "true, false or a list";
        };
    }

    private String nearest(String path) {
        String best = "";
        int distance = Integer.MAX_VALUE;
        for (String known : paths) {
            int measured = Typo.distance(path, known);
            // A path that is right but for a missing middle: "toHost.pods" for "sync.toHost.pods.enabled".
            if (known.endsWith("." + path)) {
                measured = 1;
            }
            if (measured < distance) {
                distance = measured;
                best = known;
            }
        }
        return distance <= Math.max(TYPO_DISTANCE_MAX, path.length() / 4) ? " (did you mean " + best + "?)" : "";
    }
}
