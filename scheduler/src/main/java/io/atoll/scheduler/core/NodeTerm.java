package io.atoll.scheduler.core;

import io.atoll.model.LabelSelector.Operator;
import io.atoll.model.LabelSelector.Requirement;
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
