package io.atoll.scheduler.core;

import java.util.List;
import java.util.Map;

/** A node selector term: all of its requirements must hold. One without requirements matches no node. */
public record NodeTerm(List<Requirement> labels, List<Requirement> fields) {
    /** The only field that Kubernetes lets a term match. */
    public static final String NAME_FIELD = "metadata.name";

    public NodeTerm {
        labels = List.copyOf(labels);
        fields = List.copyOf(fields);
    }

    /** How a requirement compares. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    /** One condition on one label or field. */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER -> value != null && compare(value) > 0;
                case LESS -> value != null && compare(value) < 0;
            };
        }

        /** Zero, thus no match, unless both are whole numbers. */
        private int compare(String value) {
            if (values.size() != 1) {
                return 0;
            }
            try {
                return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }

    boolean matches(NodeSpec node) {
        if (labels.isEmpty() && fields.isEmpty()) {
            return false;
        }
        for (Requirement requirement : labels) {
            if (!requirement.matches(node.labels())) {
                return false;
            }
        }
        for (Requirement requirement : fields) {
            if (!requirement.matches(Map.of(NAME_FIELD, node.name()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the term names the nodes that it can match. */
    boolean namesNodes() {
        return fields.stream().anyMatch(field -> field.key().equals(NAME_FIELD) && field.operator() == Operator.IN);
    }

    /** Whether the names in the term, if any, include this one. */
    boolean admitsName(String name) {
        for (Requirement field : fields) {
            if (field.key().equals(NAME_FIELD)
                    && field.operator() == Operator.IN
                    && !field.values().contains(name)) {
                return false;
            }
        }
        return true;
    }
}
