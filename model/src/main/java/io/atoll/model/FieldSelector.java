package io.atoll.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A field selector such as {@code metadata.name=a,status.phase!=Running}. All requirements must hold. Immutable. */
public record FieldSelector(List<Requirement> requirements) {
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    /**
     * One condition on one field.
     *
     * @param equal whether the field must have the value, or must not
     */
    public record Requirement(String field, boolean equal, String value) {
        @Override
        public String toString() {
            return field + (equal ? "=" : "!=") + escape(value);
        }
    }

    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * Parses the text form; empty selects everything.
     *
     * @throws ApiException 400 when it does not parse
     */
    public static FieldSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        for (String term : split(text)) {
            if (!term.isEmpty()) {
                requirements.add(requirement(text, term));
            }
        }
        return requirements.isEmpty() ? EVERYTHING : new FieldSelector(requirements);
    }

    /** Whether they all hold, given a field's value by its name (empty when it has none). */
    public boolean matches(Function<String, String> fields) {
        for (Requirement requirement : requirements) {
            if (fields.apply(requirement.field()).equals(requirement.value()) != requirement.equal()) {
                return false;
            }
        }
        return true;
    }

    public boolean selectsEverything() {
        return requirements.isEmpty();
    }

    @Override
    public String toString() {
        return String.join(",", requirements.stream().map(Requirement::toString).toList());
    }

    private static Requirement requirement(String text, String term) {
        for (int i = 0; i < term.length(); i++) {
            char c = term.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '=') {
                int value = term.startsWith("==", i) ? i + 2 : i + 1;
                return new Requirement(term.substring(0, i), true, unescape(term.substring(value)));
            } else if (term.startsWith("!=", i)) {
                return new Requirement(term.substring(0, i), false, unescape(term.substring(i + 2)));
            }
        }
        throw ApiException.badRequest("invalid selector: '" + text + "'; can't understand '" + term + "'");
    }

    private static List<String> split(String text) {
        List<String> terms = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == ',') {
                terms.add(text.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(text.substring(start));
        return terms;
    }

    private static String unescape(String value) {
        if (value.indexOf('\\') < 0) {
            return value;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                i++;
                c = value.charAt(i);
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
    }
}
