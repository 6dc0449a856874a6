package io.atoll.apiserver.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The part of kubectl's JSONPath that printer columns and selectable fields use: {@code .a.b}, {@code ['a.b']}, {@code
 * .a\.b}, {@code [0]}, {@code [-1]}, {@code [*]}, {@code .*} and {@code [?(@.type=="Ready")]}. Immutable.
 */
public final class JsonPath {
    private final List<Step> steps;

    private sealed interface Step {
        record Field(String name) implements Step {}

        record Index(int index) implements Step {}

        record All() implements Step {}

        record Filter(JsonPath left, String operator, String right) implements Step {}
    }

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Parses a path, with or without enclosing braces; empty when it is not of the supported form. */
    public static Optional<JsonPath> parse(String text) {
        String path = text.strip();
        if (path.startsWith("{") && path.endsWith("}")) {
            path = path.substring(1, path.length() - 1);
        }
        if (path.startsWith("$") || path.startsWith("@")) {
            path = path.substring(1);
        }
        List<Step> steps = new ArrayList<>();
        int at = 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '.') {
                at = field(path, at + 1, steps);
            } else if (c == '[') {
                int close = closing(path, at);
                if (close < 0 || !bracket(path.substring(at + 1, close).strip(), steps)) {
                    return Optional.empty();
                }
                at = close + 1;
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new JsonPath(steps));
    }

    /** The first value that the path leads to. */
    public Optional<JsonNode> first(JsonNode root) {
        List<JsonNode> found = all(root);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
    }

    List<JsonNode> all(JsonNode root) {
        List<JsonNode> present = List.of(root);
        for (Step step : steps) {
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode node : present) {
                follow(step, node, next);
            }
            present = next;
        }
        return present;
    }

    private static void follow(Step step, JsonNode node, List<JsonNode> found) {
        switch (step) {
            case Step.Field(String name) -> add(node.path(name), found);
            case Step.Index(int index) -> add(node.path(index < 0 ? node.size() + index : index), found);
            case Step.All() -> node.forEach(found::add);
            case Step.Filter filter -> {
                for (JsonNode element : node) {
                    if (holds(filter, element)) {
                        found.add(element);
                    }
                }
            }
        }
    }

    private static void add(JsonNode node, List<JsonNode> found) {
        if (!node.isMissingNode()) {
            found.add(node);
        }
    }

    private static boolean holds(Step.Filter filter, JsonNode element) {
        Optional<JsonNode> value = filter.left.first(element);
        if (filter.operator.isEmpty()) {
            return value.isPresent();
        }
        if (value.isEmpty()) {
            return false;
        }
        String text = value.get().asString("");
        int order;
        if (value.get().isNumber()) {
            try {
                order = Double.compare(value.get().asDouble(), Double.parseDouble(filter.right));
            } catch (NumberFormatException e) {
                return false;
            }
        } else {
            order = text.compareTo(filter.right);
        }
        return switch (filter.operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private static int field(String path, int from, List<Step> steps) {
        StringBuilder name = new StringBuilder();
        int at = from;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '\\' && at + 1 < path.length()) {
                name.append(path.charAt(at + 1));
                at += 2;
            } else if (c == '.' || c == '[') {
                break;
            } else {
                name.append(c);
                at++;
            }
        }
        if (name.toString().equals("*")) {
            steps.add(new Step.All());
        } else if (!name.isEmpty()) {
            steps.add(new Step.Field(name.toString()));
        }
        return at;
    }

    private static int closing(String path, int open) {
        int depth = 0;
        char quote = 0;
        for (int i = open; i < path.length(); i++) {
            char c = path.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[') {
                depth++;
            } else if (c == ']' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static boolean bracket(String inside, List<Step> steps) {
        if (inside.equals("*")) {
            steps.add(new Step.All());
            return true;
        }
        if (inside.startsWith("?(") && inside.endsWith(")")) {
            return filter(inside.substring(2, inside.length() - 1).strip(), steps);
        }
        if (inside.length() >= 2 && (inside.startsWith("'") || inside.startsWith("\""))) {
            steps.add(new Step.Field(unquote(inside)));
            return true;
        }
        try {
            steps.add(new Step.Index(Integer.parseInt(inside)));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean filter(String expression, List<Step> steps) {
        for (String operator : List.of("==", "!=", "<=", ">=", "<", ">")) {
            int at = expression.indexOf(operator);
            if (at > 0) {
                Optional<JsonPath> left = parse(expression.substring(0, at));
                String right =
                        unquote(expression.substring(at + operator.length()).strip());
                left.ifPresent(path -> steps.add(new Step.Filter(path, operator, right)));
                return left.isPresent();
            }
        }
        Optional<JsonPath> left = parse(expression);
        left.ifPresent(path -> steps.add(new Step.Filter(path, "", "")));
        return left.isPresent();
    }

    private static String unquote(String text) {
        boolean quoted = text.length() >= 2
                && (text.charAt(0) == '\'' || text.charAt(0) == '"')
                && text.charAt(text.length() - 1) == text.charAt(0);
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
