package io.atoll.scheduler;

import io.atoll.model.LabelSelector;
import io.atoll.model.LabelSelector.Operator;
import io.atoll.model.LabelSelector.Requirement;
import io.atoll.model.Metadata;
import io.atoll.model.pod.PodResources;
import io.atoll.scheduler.core.HostPort;
import io.atoll.scheduler.core.NodeTerm;
import io.atoll.scheduler.core.PodShape;
import io.atoll.scheduler.core.PodShape.Weighted;
import io.atoll.scheduler.core.PodTerm;
import io.atoll.scheduler.core.SpreadConstraint;
import io.atoll.scheduler.core.Taint;
import io.atoll.scheduler.core.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what scheduling needs to know off pods' trees. Stateless. */
final class PodReader {
    private PodReader() {}

    static PodShape shape(ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        JsonNode affinity = spec.path("affinity");
        String namespace = Metadata.namespace(pod);
        Map<String, String> labels = Metadata.labels(pod);
        List<PodTerm> attraction = podTerms(affinity.path("podAffinity"), namespace, labels);
        List<PodTerm> repulsion = podTerms(affinity.path("podAntiAffinity"), namespace, labels);
        List<Weighted<PodTerm>> preferred = new ArrayList<>();
        addPreferredPods(preferred, affinity.path("podAffinity"), 1, namespace, labels);
        addPreferredPods(preferred, affinity.path("podAntiAffinity"), -1, namespace, labels);
        List<SpreadConstraint> spread = new ArrayList<>();
        for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
            spread.add(spreadConstraint(constraint, labels));
        }
        boolean othersMatter =
                !attraction.isEmpty() || !repulsion.isEmpty() || !preferred.isEmpty() || !spread.isEmpty();
        return new PodShape(
                PodResources.requestedUnits(spec),
                GpuShareReader.read(pod),
                strings(spec.path("nodeSelector")),
                nodeTerms(affinity.path("nodeAffinity")
                        .path("requiredDuringSchedulingIgnoredDuringExecution")
                        .path("nodeSelectorTerms")),
                preferredNodes(affinity.path("nodeAffinity")),
                tolerations(spec.path("tolerations")),
                hostPorts(spec),
                attraction,
                repulsion,
                preferred,
                spread,
                !spec.path("preemptionPolicy").asString("").equals("Never"),
                othersMatter ? namespace : "",
                othersMatter ? labels : Map.of());
    }

    private static List<NodeTerm> nodeTerms(JsonNode terms) {
        List<NodeTerm> read = new ArrayList<>();
        terms.forEach(term -> read.add(nodeTerm(term)));
        return read;
    }

    private static NodeTerm nodeTerm(JsonNode term) {
        return new NodeTerm(requirements(term.path("matchExpressions")), requirements(term.path("matchFields")));
    }

    private static List<Requirement> requirements(JsonNode expressions) {
        List<Requirement> read = new ArrayList<>();
        for (JsonNode expression : expressions) {
            Operator operator = switch (expression.path("operator").asString("")) {
                case "In" -> Operator.IN;
                case "NotIn" -> Operator.NOT_IN;
                case "Exists" -> Operator.EXISTS;
                case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
                case "Gt" -> Operator.GREATER_THAN;
                case "Lt" -> Operator.LESS_THAN;
                // validation lets no other through; one that matches nothing is the safe reading
                default -> Operator.IN;
            };
            read.add(new Requirement(expression.path("key").asString(""), operator, list(expression.path("values"))));
        }
        return read;
    }

    private static List<Weighted<NodeTerm>> preferredNodes(JsonNode nodeAffinity) {
        List<Weighted<NodeTerm>> read = new ArrayList<>();
        for (JsonNode preference : nodeAffinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
            read.add(new Weighted<>(preference.path("weight").asInt(0), nodeTerm(preference.path("preference"))));
        }
        return read;
    }

    private static List<Toleration> tolerations(JsonNode tolerations) {
        List<Toleration> read = new ArrayList<>();
        for (JsonNode toleration : tolerations) {
            boolean anyValue = toleration.path("operator").asString("Equal").equals("Exists");
            read.add(new Toleration(
                    toleration.path("key").asString(""),
                    anyValue
                            ? Optional.empty()
                            : Optional.of(toleration.path("value").asString("")),
                    effect(toleration.path("effect").asString(""))));
        }
        return read;
    }

    static Optional<Taint.Effect> effect(String text) {
        return switch (text) {
            case "NoSchedule" -> Optional.of(Taint.Effect.NO_SCHEDULE);
            case "NoExecute" -> Optional.of(Taint.Effect.NO_EXECUTE);
            case "PreferNoSchedule" -> Optional.of(Taint.Effect.PREFER_NO_SCHEDULE);
            default -> Optional.empty();
        };
    }

    private static List<HostPort> hostPorts(JsonNode spec) {
        List<HostPort> read = new ArrayList<>();
        spec.path("containers").forEach(container -> addHostPorts(read, container));
        for (JsonNode container : spec.path("initContainers")) {
            if (PodResources.sidecar(container)) {
                addHostPorts(read, container);
            }
        }
        return read;
    }

    private static void addHostPorts(List<HostPort> into, JsonNode container) {
        for (JsonNode port : container.path("ports")) {
            int number = port.path("hostPort").asInt(0);
            if (number > 0) {
                String address = port.path("hostIP").asString("");
                into.add(new HostPort(
                        address.isEmpty() ? "0.0.0.0" : address,
                        port.path("protocol").asString("TCP"),
                        number));
            }
        }
    }

    private static List<PodTerm> podTerms(JsonNode affinity, String namespace, Map<String, String> labels) {
        List<PodTerm> read = new ArrayList<>();
        for (JsonNode term : affinity.path("requiredDuringSchedulingIgnoredDuringExecution")) {
            read.add(podTerm(term, namespace, labels));
        }
        return read;
    }

    private static void addPreferredPods(
            List<Weighted<PodTerm>> into, JsonNode affinity, int sign, String namespace, Map<String, String> labels) {
        for (JsonNode preference : affinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
            into.add(new Weighted<>(
                    sign * preference.path("weight").asInt(0),
                    podTerm(preference.path("podAffinityTerm"), namespace, labels)));
        }
    }

    private static PodTerm podTerm(JsonNode term, String namespace, Map<String, String> labels) {
        Set<String> namespaces = new LinkedHashSet<>(list(term.path("namespaces")));
        LabelSelector namespaceSelector = LabelSelector.of(term.path("namespaceSelector"));
        if (namespaces.isEmpty() && !term.path("namespaceSelector").isObject()) {
            namespaces.add(namespace);
        }
        LabelSelector selector = withLabelsOf(
                LabelSelector.of(term.path("labelSelector")),
                labels,
                term.path("matchLabelKeys"),
                LabelSelector.Operator.IN);
        selector = withLabelsOf(selector, labels, term.path("mismatchLabelKeys"), LabelSelector.Operator.NOT_IN);
        return new PodTerm(
                selector,
                namespaces,
                namespaceSelector,
                term.path("topologyKey").asString(""));
    }

    private static SpreadConstraint spreadConstraint(JsonNode constraint, Map<String, String> labels) {
        return new SpreadConstraint(
                constraint.path("topologyKey").asString(""),
                constraint.path("maxSkew").asInt(1),
                constraint.path("minDomains").asInt(1),
                !constraint.path("whenUnsatisfiable").asString("").equals("ScheduleAnyway"),
                withLabelsOf(
                        LabelSelector.of(constraint.path("labelSelector")),
                        labels,
                        constraint.path("matchLabelKeys"),
                        LabelSelector.Operator.IN),
                !constraint.path("nodeAffinityPolicy").asString("").equals("Ignore"),
                constraint.path("nodeTaintsPolicy").asString("").equals("Honor"));
    }

    /** Adds the pod's own values of some labels to a selector that selects anything. */
    private static LabelSelector withLabelsOf(
            LabelSelector selector, Map<String, String> labels, JsonNode keys, LabelSelector.Operator operator) {
        if (keys.isEmpty() || selector.selectsNothing()) {
            return selector;
        }
        List<LabelSelector.Requirement> requirements = new ArrayList<>(selector.requirements());
        for (String key : list(keys)) {
            String value = labels.get(key);
            if (value != null) {
                requirements.add(new LabelSelector.Requirement(key, operator, List.of(value)));
            }
        }
        return LabelSelector.of(requirements);
    }

    private static Map<String, String> strings(JsonNode object) {
        Map<String, String> read = new LinkedHashMap<>();
        object.properties()
                .forEach(field -> read.put(field.getKey(), field.getValue().asString("")));
        return read;
    }

    private static List<String> list(JsonNode array) {
        List<String> read = new ArrayList<>();
        array.forEach(item -> read.add(item.asString("")));
        return read;
    }
}
