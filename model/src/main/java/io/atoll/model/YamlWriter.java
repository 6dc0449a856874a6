package io.atoll.model;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Writes a tree as YAML that both YAML 1.1 and 1.2 readers read back alike: whatever might look like something else is
 * double-quoted as in JSON. Used once, by one thread.
 */
final class YamlWriter {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/.$][A-Za-z0-9_./$@+-]*(?::[A-Za-z0-9_./$@+-]+)*");
    private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan");
    private static final Pattern NUMBER_LIKE = Pattern.compile("\\.(?:[0-9].*|inf|nan)", Pattern.CASE_INSENSITIVE);

    private final StringBuilder out = new StringBuilder();

    String document(JsonNode tree) {
        if (isBlock(tree)) {
            block(tree, 0, false);
        } else {
            out.append(scalar(tree)).append('\n');
        }
        return out.toString();
    }

    private static boolean isBlock(JsonNode node) {
        return node.isContainer() && !node.isEmpty();
    }

    /** Writes an object or array; the caller has indented its first line when {@code inline}. */
    private void block(JsonNode node, int depth, boolean inline) {
        boolean first = inline;
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                indent(depth, first);
                first = false;
                out.append(text(field.getKey())).append(':');
                value(field.getValue(), depth, field.getValue().isArray() ? depth : depth + 1);
            }
        } else {
            for (JsonNode item : node) {
                indent(depth, first);
                first = false;
                out.append('-');
                if (isBlock(item)) {
                    out.append(' ');
                    block(item, depth + 1, true);
                } else {
                    value(item, depth, depth + 1);
                }
            }
        }
    }

    private void value(JsonNode value, int depth, int childDepth) {
        if (isBlock(value)) {
            out.append('\n');
            block(value, childDepth, false);
        } else if (value.isString() && isLiteral(value.stringValue())) {
            literal(value.stringValue(), depth + 1);
        } else {
            out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private static boolean isLiteral(String text) {
        return text.indexOf('\n') > 0
                && !text.startsWith(" ")
                && !text.endsWith("\n\n")
                && text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c != 0x7f && c < 0xd800));
    }

    private void literal(String text, int depth) {
        out.append(text.endsWith("\n") ? " |\n" : " |-\n");
        for (String line : text.lines().toList()) {
            if (!line.isEmpty()) {
                indent(depth, false);
                out.append(line);
            }
            out.append('\n');
        }
    }

    private void indent(int depth, boolean done) {
        if (!done) {
            out.repeat("  ", depth);
        }
    }

    private static String scalar(JsonNode node) {
        return node.isString() ? text(node.stringValue()) : Json.encodeToString(node);
    }

    private static String text(String value) {
        boolean plain = PLAIN.matcher(value).matches()
                && !WORDS.contains(value.toLowerCase(Locale.ROOT))
                && !NUMBER_LIKE.matcher(value).matches();
        return plain ? value : Json.encodeToString(tools.jackson.databind.node.StringNode.valueOf(value));
    }
}
