package io.atoll.scheduler.core;

import io.atoll.model.LabelSelector;
import java.util.Map;
import java.util.Set;

/**
 * Selects pods for affinity or anti-affinity, and the label of nodes within whose values they count as together.
 *
 * @param namespaces the namespaces that are named
 * @param namespaceSelector further namespaces, by their labels
 */
public record PodTerm(
        LabelSelector selector, Set<String> namespaces, LabelSelector namespaceSelector, String topologyKey) {
    public PodTerm {
        namespaces = Set.copyOf(namespaces);
    }

    boolean selects(String namespace, Map<String, String> labels, Map<String, Map<String, String>> namespaceLabels) {
        boolean inNamespaces = namespaces.contains(namespace)
                || namespaceSelector.matches(namespaceLabels.getOrDefault(namespace, Map.of()));
        return inNamespaces && selector.matches(labels);
    }
}
