package io.atoll.scheduler.core;

import java.util.List;
import java.util.Map;

/**
 * What scheduling needs to know of a pod. Pods of equal shape are interchangeable: they have the same feasible nodes.
 *
 * @param requests by resource name; cpu in thousandths, all else in whole units; without the pod itself
 * @param gpuShare the part of GPUs it asks for beside its requests
 * @param preempts whether the pod's preemption policy lets it preempt
 * @param namespace empty unless rules about other pods make it matter
 * @param labels empty unless rules about other pods make them matter
 */
public record PodShape(
        Map<String, Long> requests,
        GpuShare gpuShare,
        Map<String, String> nodeSelector,
        List<NodeTerm> requiredNodes,
        List<Weighted<NodeTerm>> preferredNodes,
        List<Toleration> tolerations,
        List<HostPort> hostPorts,
        List<PodTerm> affinity,
        List<PodTerm> antiAffinity,
        List<Weighted<PodTerm>> preferredPods,
        List<SpreadConstraint> spread,
        boolean preempts,
        String namespace,
        Map<String, String> labels) {

    public PodShape {
        requests = Map.copyOf(requests);
        nodeSelector = Map.copyOf(nodeSelector);
        requiredNodes = List.copyOf(requiredNodes);
        preferredNodes = List.copyOf(preferredNodes);
        tolerations = List.copyOf(tolerations);
        hostPorts = List.copyOf(hostPorts);
        affinity = List.copyOf(affinity);
        antiAffinity = List.copyOf(antiAffinity);
        preferredPods = List.copyOf(preferredPods);
        spread = List.copyOf(spread);
        labels = Map.copyOf(labels);
    }

    /** A preference; a negative weight is an aversion. */
    public record Weighted<T>(int weight, T term) {}

    /** Whether other pods matter to where this one may go or would rather go. */
    boolean hasPodRules() {
        return !affinity.isEmpty() || !antiAffinity.isEmpty() || !preferredPods.isEmpty() || !spread.isEmpty();
    }

    /** Whether the node passes the node selector and the required node affinity. */
    boolean selects(NodeSpec node) {
        for (Map.Entry<String, String> label : nodeSelector.entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return false;
            }
        }
        return requiredNodes.isEmpty() || requiredNodes.stream().anyMatch(term -> term.matches(node));
    }

    /** Whether no term of the required node affinity can match a node of this name, all of them naming others. */
    boolean namesOtherNodes(String name) {
        return !requiredNodes.isEmpty()
                && requiredNodes.stream().allMatch(NodeTerm::namesNodes)
                && requiredNodes.stream().noneMatch(term -> term.admitsName(name));
    }

    boolean toleratesAll(NodeSpec node) {
        for (Taint taint : node.taints()) {
            if (taint.repels() && !Toleration.anyTolerates(tolerations, taint)) {
                return false;
            }
        }
        return true;
    }
}
