package io.atoll.model;

import io.atoll.model.LabelSelector.Operator;
import io.atoll.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;

/** Recursive descent over the text form of a label selector. Used once, by one thread. */
final class LabelSelectorParser {
    private static final String SPECIAL = "=!(),<>";

    private final String text;
    private int at;

    LabelSelectorParser(String text) {
        this.text = text;
    }

    List<Requirement> parse() {
        List<Requirement> requirements = new ArrayList<>();
        skipSpace();
        while (at < text.length()) {
            requirements.add(requirement());
            skipSpace();
            if (at == text.length()) {
                break;
            }
            if (!take(",")) {
                throw unparsable("found '" + rest() + "', expected: ',' or 'end of string'");
            }
            skipSpace();
            if (at == text.length()) {
                throw unparsable("found '', expected: identifier after ','");
            }
        }
        return requirements;
    }

    private Requirement requirement() {
        if (take("!")) {
            skipSpace();
            return new Requirement(key(), Operator.DOES_NOT_EXIST, List.of());
        }
        String key = key();
        skipSpace();
        if (at == text.length() || text.charAt(at) == ',') {
            return new Requirement(key, Operator.EXISTS, List.of());
        }
        if (take("==") || take("=")) {
            return new Requirement(key, Operator.IN, List.of(exactValue()));
        }
        if (take("!=")) {
            return new Requirement(key, Operator.NOT_IN, List.of(exactValue()));
        }
        if (take(">")) {
            return new Requirement(key, Operator.GREATER_THAN, List.of(number()));
        }
        if (take("<")) {
            return new Requirement(key, Operator.LESS_THAN, List.of(number()));
        }
        return switch (word()) {
            case "in" -> new Requirement(key, Operator.IN, values());
            case "notin" -> new Requirement(key, Operator.NOT_IN, values());
            case String other ->
                throw unparsable(
                        "found '" + (other.isEmpty() ? rest() : other) + "', expected: in, notin, =, ==, !=, gt, lt");
        };
    }

    private String key() {
        String key = word();
        if (key.isEmpty()) {
            throw unparsable("found '" + rest() + "', expected: !, identifier, or 'end of string'");
        }
        List<String> errors = Names.qualifiedNameErrors(key);
        if (!errors.isEmpty()) {
            throw unparsable("key: Invalid value: \"" + key + "\": " + String.join("; ", errors));
        }
        return key;
    }

    private String exactValue() {
        skipSpace();
        return value();
    }

    private String value() {
        String value = word();
        List<String> errors = Names.labelValueErrors(value);
        if (!errors.isEmpty()) {
            throw unparsable("values[0]: Invalid value: \"" + value + "\": " + String.join("; ", errors));
        }
        return value;
    }

    private String number() {
        String value = exactValue();
        try {
            return Long.toString(Long.parseLong(value));
        } catch (NumberFormatException notANumber) {
            throw unparsable("for 'Gt', 'Lt' operators, the value must be an integer");
        }
    }

    private List<String> values() {
        skipSpace();
        if (!take("(")) {
            throw unparsable("found '" + rest() + "', expected: '('");
        }
        List<String> values = new ArrayList<>();
        while (true) {
            skipSpace();
            values.add(value());
            skipSpace();
            if (take(")")) {
                return values;
            }
            if (!take(",")) {
                throw unparsable("found '" + rest() + "', expected: ',', or ')'");
            }
        }
    }

    private String word() {
        int start = at;
        while (at < text.length() && SPECIAL.indexOf(text.charAt(at)) < 0 && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean take(String token) {
        if (text.startsWith(token, at)) {
            at += token.length();
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private String rest() {
        return text.substring(at);
    }

    private ApiException unparsable(String why) {
        return ApiException.badRequest("unable to parse requirement: " + why);
    }
}
