package io.atoll.syncer.config;

import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Helm's {@code --set} language: {@code a.b=c}, {@code a[0].b=c}, {@code a={x,y}}, several joined by commas, a
 * backslash before a character that is meant as itself. A value in double quotes is text. Used once, by one thread.
 */
final class SetValues {
    private static final int INDEX_MAX = 65_536;
    private static final Pattern WHOLE_NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,18}");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String text;
    private int at;

    private SetValues(String text) {
        this.text = text;
    }

    /**
     * Lays the values over a tree.
     *
     * @throws ConfigException when the text does not parse
     */
    static void apply(String text, ObjectNode tree) {
        new SetValues(unquoted(text)).assignments(tree);
    }

    private void assignments(ObjectNode tree) {
        while (at < text.length()) {
            List<Object> path = path();
            JsonNode value = at < text.length() && text.charAt(at) == '{' ? list() : scalar(word(","));
            assign(tree, path, 0, value);
            if (at < text.length() && text.charAt(at++) != ',') {
                throw mistake("expected a comma after the value of " + path);
            }
        }
    }

    /** Strings for fields, Integers for indexes, up to and with the equals sign. */
    private List<Object> path() {
        List<Object> path = new ArrayList<>();
        while (true) {
            if (at < text.length() && text.charAt(at) == '[') {
                path.add(index());
            } else {
                String field = word(".[=,");
                if (field.isEmpty()) {
                    throw mistake("a key is missing before position " + (at + 1));
                }
                path.add(field);
            }
            if (at == text.length() || text.charAt(at) == ',') {
                throw mistake("key \"" + path.getLast() + "\" has no value");
            }
            if (text.charAt(at) == '=') {
                at++;
                return path;
            }
            if (text.charAt(at) == '.') {
                at++;
            } else if (text.charAt(at) != '[') {
                throw mistake("expected a dot, a bracket or an equals sign after " + path);
            }
        }
    }

    private Integer index() {
        int end = text.indexOf(']', at);
        String digits = end < 0 ? "" : text.substring(at + 1, end);
        if (!digits.matches("[0-9]{1,6}") || Integer.parseInt(digits) > INDEX_MAX) {
            throw mistake("not an index: " + text.substring(at));
        }
        at = end + 1;
        return Integer.valueOf(digits);
    }

    private ArrayNode list() {
        at++;
        ArrayNode list = Json.array();
        while (at < text.length()) {
            boolean empty = list.isEmpty() && text.charAt(at) == '}';
            if (!empty) {
                list.add(scalar(word(",}")));
            }
            if (at == text.length()) {
                break;
            }
            if (text.charAt(at++) == '}') {
                return list;
            }
        }
        throw mistake("a list must end with '}'");
    }

    /** Up to an unescaped stop character, or one outside of quotes. Keeps quotes for {@link #scalar}. */
    private String word(String stops) {
        StringBuilder word = new StringBuilder();
        boolean inQuotes = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length()) {
                word.append(text.charAt(at + 1));
                at += 2;
                continue;
            }
            boolean opens = c == '"' && word.isEmpty() && text.indexOf('"', at + 1) > 0;
            boolean closes = c == '"' && inQuotes;
            if (opens || closes) {
                inQuotes = !inQuotes;
            } else if (!inQuotes && stops.indexOf(c) >= 0) {
                break;
            }
            word.append(c);
            at++;
        }
        return word.toString();
    }

    private static JsonNode scalar(String word) {
        if (word.length() >= 2 && word.startsWith("\"") && word.endsWith("\"")) {
            return NODES.stringNode(word.substring(1, word.length() - 1));
        }
        return switch (word) {
            case "true" -> NODES.booleanNode(true);
            case "false" -> NODES.booleanNode(false);
            case "null" -> NODES.nullNode();
            default -> {
                if (WHOLE_NUMBER.matcher(word).matches()) {
                    try {
                        long number = Long.parseLong(word);
                        yield number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
                    } catch (NumberFormatException tooLong) {
                        yield NODES.stringNode(word);
                    }
                }
                yield NODES.stringNode(word);
            }
        };
    }

    private static void assign(ObjectNode object, List<Object> path, int depth, JsonNode value) {
        String field = (String) path.get(depth);
        if (depth == path.size() - 1) {
            if (value.isNull()) {
                object.remove(field);
            } else {
                object.set(field, value);
            }
            return;
        }
        object.set(field, deeper(object.get(field), path, depth + 1, value));
    }

    private static JsonNode deeper(@Nullable JsonNode present, List<Object> path, int depth, JsonNode value) {
        if (depth == path.size()) {
            return value;
        }
        if (path.get(depth) instanceof Integer index) {
            ArrayNode list = present instanceof ArrayNode array ? array : Json.array();
            while (list.size() <= index) {
                list.addNull();
            }
            JsonNode item = list.get(index);
            list.set(index, deeper(item.isNull() ? null : item, path, depth + 1, value));
            return list;
        }
        ObjectNode object = present instanceof ObjectNode node ? node : Json.object();
        assign(object, path, depth, value);
        return object;
    }

    /** Scripts that build command lines sometimes leave the shell's quotes on. */
    private static String unquoted(String text) {
        char first = text.length() < 2 ? ' ' : text.charAt(0);
        boolean wrapped = (first == '"' || first == '\'') && text.charAt(text.length() - 1) == first;
        return wrapped ? text.substring(1, text.length() - 1) : text;
    }

    private ConfigException mistake(String what) {
        return new ConfigException(List.of("--set " + text + ": " + what));
    }
}
