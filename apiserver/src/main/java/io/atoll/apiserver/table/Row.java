package io.atoll.apiserver.table;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** One object while its cells are computed: reads by dotted path. Confined to one thread. */
final class Row {
    static final String NONE = "<none>";
    static final String UNSET = "<unset>";

    private final JsonNode object;
    private final Instant now;
    private @Nullable PodSummary pod;

    Row(JsonNode object, Instant now) {
        this.object = object;
        this.now = now;
    }

    JsonNode object() {
        return object;
    }

    Instant now() {
        return now;
    }

    /** The node at a dotted path (no dots inside names); missing when any step is. */
    JsonNode at(String path) {
        return at(object, path);
    }

    static JsonNode at(JsonNode from, String path) {
        JsonNode node = from;
        int start = 0;
        while (start <= path.length()) {
            int dot = path.indexOf('.', start);
            int end = dot < 0 ? path.length() : dot;
            node = node.path(path.substring(start, end));
            start = end + 1;
        }
        return node;
    }

    String name() {
        return text("metadata.name");
    }

    String age() {
        return since("metadata.creationTimestamp");
    }

    String text(String path) {
        return text(at(path));
    }

    static String text(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? "" : node.asString("");
    }

    String textOr(String path, String otherwise) {
        String text = text(path);
        return text.isEmpty() ? otherwise : text;
    }

    long integer(String path) {
        return at(path).asLong(0);
    }

    boolean bool(String path, boolean otherwise) {
        return at(path).asBoolean(otherwise);
    }

    boolean has(String path) {
        JsonNode node = at(path);
        return !node.isMissingNode() && !node.isNull();
    }

    int count(String path) {
        return at(path).size();
    }

    String since(String path) {
        return HumanDuration.since(text(path), now);
    }

    boolean deleting() {
        return has("metadata.deletionTimestamp");
    }

    PodSummary pod() {
        if (pod == null) {
            pod = PodSummary.of(this);
        }
        return pod;
    }

    /** A map of labels as {@code a=b,c=d} in order of keys. */
    String labels(String path) {
        Map<String, String> sorted = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : at(path).properties()) {
            sorted.put(entry.getKey(), text(entry.getValue()));
        }
        StringJoiner joined = new StringJoiner(",").setEmptyValue(NONE);
        sorted.forEach((key, value) -> joined.add(key + "=" + value));
        return joined.toString();
    }

    /** A label selector in the form that {@code -l} takes; {@link #NONE} when it has no requirement. */
    String selector(String path) {
        JsonNode selector = at(path);
        Map<String, List<String>> requirements = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : selector.path("matchLabels").properties()) {
            requirements
                    .computeIfAbsent(entry.getKey(), key -> new ArrayList<>())
                    .add(entry.getKey() + "=" + text(entry.getValue()));
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = text(expression.path("key"));
            requirements.computeIfAbsent(key, k -> new ArrayList<>()).add(requirement(key, expression));
        }
        StringJoiner joined = new StringJoiner(",").setEmptyValue(NONE);
        requirements.values().forEach(texts -> texts.forEach(joined::add));
        return joined.toString();
    }

    private static String requirement(String key, JsonNode expression) {
        String values = "("
                + String.join(
                        ",",
                        strings(expression.path("values")).stream().sorted().toList()) + ")";
        return switch (text(expression.path("operator"))) {
            case "In" -> key + " in " + values;
            case "NotIn" -> key + " notin " + values;
            case "Exists" -> key;
            case "DoesNotExist" -> "!" + key;
            default -> "<error>";
        };
    }

    /** One field of each element of a list, joined by commas. */
    String joined(String path, String field) {
        StringJoiner joined = new StringJoiner(",");
        for (JsonNode element : at(path)) {
            joined.add(text(field.isEmpty() ? element : element.path(field)));
        }
        return joined.toString();
    }

    static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode element : array) {
            texts.add(text(element));
        }
        return texts;
    }

    /** The condition of a type in {@code status.conditions}; missing when there is none. */
    JsonNode condition(String type) {
        for (JsonNode condition : at("status.conditions")) {
            if (type.equals(text(condition.path("type")))) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }

    boolean conditionTrue(String type) {
        return "True".equals(text(condition(type).path("status")));
    }

    /** The first few elements, then how many more there are. */
    static String firstOf(List<String> texts, int max, String whenEmpty) {
        String shown = String.join(",", texts.subList(0, Math.min(max, texts.size())));
        if (texts.size() > max) {
            return shown + " + " + (texts.size() - max) + " more...";
        }
        return shown.isEmpty() ? whenEmpty : shown;
    }
}
