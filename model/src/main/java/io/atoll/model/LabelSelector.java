package io.atoll.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A label selector: all of its requirements must hold. Immutable. */
public final class LabelSelector {
    /** Selects everything. */
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of(), false);

    /** Selects nothing: what a missing {@code selector} field means to most controllers. */
    public static final LabelSelector NOTHING = new LabelSelector(List.of(), true);

    private final List<Requirement> requirements;
    private final boolean nothing;

    /** How a requirement compares. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER_THAN,
        LESS_THAN
    }

    /** One condition on one key. */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        public boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER_THAN -> value != null && compare(value) > 0;
                case LESS_THAN -> value != null && compare(value) < 0;
            };
        }

        /** Zero, thus no match, unless both are whole numbers. */
        private int compare(String value) {
            if (values.size() != 1) {
                return 0;
            }
            try {
                return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException notANumber) {
                return 0;
            }
        }

        @Override
        public String toString() {
            return switch (operator) {
                case IN ->
                    values.size() == 1
                            ? key + "=" + values.getFirst()
                            : key + " in ("
                                    + String.join(",", values.stream().sorted().toList()) + ")";
                case NOT_IN ->
                    values.size() == 1
                            ? key + "!=" + values.getFirst()
                            : key + " notin ("
                                    + String.join(",", values.stream().sorted().toList()) + ")";
                case EXISTS -> key;
                case DOES_NOT_EXIST -> "!" + key;
                case GREATER_THAN -> key + ">" + values.getFirst();
                case LESS_THAN -> key + "<" + values.getFirst();
            };
        }
    }

    private LabelSelector(List<Requirement> requirements, boolean nothing) {
        this.requirements = List.copyOf(requirements);
        this.nothing = nothing;
    }

    public static LabelSelector of(List<Requirement> requirements) {
        return new LabelSelector(requirements, false);
    }

    /** Labels that must all be present with these values. */
    public static LabelSelector of(Map<String, String> labels) {
        List<Requirement> requirements = new ArrayList<>();
        new TreeMap<>(labels)
                .forEach((key, value) -> requirements.add(new Requirement(key, Operator.IN, List.of(value))));
        return new LabelSelector(requirements, false);
    }

    /**
     * Reads a {@code meta/v1} LabelSelector field. A missing or null one selects nothing, an empty one everything.
     *
     * @throws ApiException 400 for an operator or values that make no sense
     */
    public static LabelSelector of(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return NOTHING;
        }
        List<Requirement> requirements = new ArrayList<>();
        node.path("matchLabels")
                .properties()
                .forEach(entry -> requirements.add(new Requirement(
                        entry.getKey(), Operator.IN, List.of(entry.getValue().asString("")))));
        for (JsonNode expression : node.path("matchExpressions")) {
            requirements.add(expression(expression));
        }
        return new LabelSelector(requirements, false);
    }

    /**
     * Parses the text form, e.g. {@code app=web,tier in (a,b),!canary}. Empty selects everything.
     *
     * @throws ApiException 400 when it does not parse
     */
    public static LabelSelector parse(String text) {
        return new LabelSelector(new LabelSelectorParser(text).parse(), false);
    }

    public boolean matches(Map<String, String> labels) {
        if (nothing) {
            return false;
        }
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    public List<Requirement> requirements() {
        return requirements;
    }

    public boolean selectsEverything() {
        return !nothing && requirements.isEmpty();
    }

    public boolean selectsNothing() {
        return nothing;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LabelSelector selector
                && nothing == selector.nothing
                && requirements.equals(selector.requirements);
    }

    @Override
    public int hashCode() {
        return 31 * requirements.hashCode() + Boolean.hashCode(nothing);
    }

    /** The text form, as it goes into a query and into {@code status.selector}. */
    @Override
    public String toString() {
        return String.join(",", requirements.stream().map(Requirement::toString).toList());
    }

    private static Requirement expression(JsonNode node) {
        String key = node.path("key").asString("");
        List<String> values = new ArrayList<>();
        for (JsonNode value : node.path("values")) {
            values.add(value.asString(""));
        }
        String name = node.path("operator").asString("");
        Operator operator = switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw ApiException.badRequest("\"" + name + "\" is not a valid label selector operator");
        };
        boolean wantsValues = operator == Operator.IN || operator == Operator.NOT_IN;
        if (wantsValues == values.isEmpty()) {
            throw ApiException.badRequest(
                    wantsValues
                            ? "for 'in', 'notin' operators, values set can't be empty"
                            : "values set must be empty for exists and does not exist");
        }
        return new Requirement(key, operator, values);
    }
}
