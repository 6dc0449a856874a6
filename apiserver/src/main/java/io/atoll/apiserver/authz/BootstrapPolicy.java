package io.atoll.apiserver.authz;

import io.atoll.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The roles and bindings that a new cluster starts with, from {@code bootstrap-policy.txt}. */
public final class BootstrapPolicy {
    static final String GROUP = "rbac.authorization.k8s.io";
    static final String AGGREGATE_LABEL = GROUP + "/aggregate-to-";

    private static final String API_VERSION = GROUP + "/v1";
    private static final String CONTROLLER_PREFIX = "system:controller:";
    private static final Map<String, List<String>> VERBS = Map.of(
            "read", List.of("get", "list", "watch"),
            "write", List.of("create", "delete", "deletecollection", "patch", "update"),
            "readwrite", List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"));
    private static final PolicyRule RECORD_EVENTS = new PolicyRule(
            List.of("create", "patch", "update"),
            List.of("", "events.k8s.io"),
            List.of("events"),
            List.of(),
            List.of());

    private final List<ObjectNode> objects = new ArrayList<>();
    private final Map<String, List<PolicyRule>> clusterRules = new LinkedHashMap<>();
    private final Map<String, List<String>> members = new LinkedHashMap<>();
    private final Map<String, ObjectNode> aggregates = new LinkedHashMap<>();
    private final Map<PolicyRule, PolicyRule> shared = new HashMap<>();

    private @Nullable ObjectNode role;
    private List<PolicyRule> rules = new ArrayList<>();

    private BootstrapPolicy() {}

    /** Read once. */
    private static final BootstrapPolicy POLICY = read();

    /** All of them, in the order they are to be created; aggregated roles have their rules filled in. */
    public static List<ObjectNode> objects() {
        return POLICY.objects.stream().map(ObjectNode::deepCopy).toList();
    }

    /** The same rule, as one instance for all clusters when it is one of these roles'. */
    static PolicyRule shared(PolicyRule rule) {
        return POLICY.shared.getOrDefault(rule, rule);
    }

    private static BootstrapPolicy read() {
        BootstrapPolicy policy = new BootstrapPolicy();
        text().lines().forEach(policy::read);
        policy.finishRole();
        policy.fillAggregates();
        policy.clusterRules.values().forEach(rules -> rules.forEach(rule -> policy.shared.put(rule, rule)));
        return policy;
    }

    private static String text() {
        try (InputStream in = BootstrapPolicy.class.getResourceAsStream("bootstrap-policy.txt")) {
            if (in == null) {
                throw new IllegalStateException("bootstrap-policy.txt is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith(" ")) {
            rules.add(rule(line.strip()));
            return;
        }
        finishRole();
        List<String> words = Arrays.asList(line.split(" ", -1));
        String name = words.get(1);
        switch (words.getFirst()) {
            case "clusterrole" -> startClusterRole(name, words);
            case "aggregate" -> startAggregate(name, words);
            case "controller" -> {
                bind(
                        "ClusterRoleBinding",
                        "",
                        CONTROLLER_PREFIX + name,
                        "ClusterRole",
                        CONTROLLER_PREFIX + name,
                        List.of("sa=kube-system/" + name));
                startClusterRole(CONTROLLER_PREFIX + name, List.of());
            }
            case "role" -> role = create("Role", name, words.get(2));
            case "bind" ->
                bind("ClusterRoleBinding", "", name, "ClusterRole", words.get(2), words.subList(3, words.size()));
            case "rolebind" ->
                bind("RoleBinding", name, words.get(2), "Role", words.get(3), words.subList(4, words.size()));
            default -> throw new IllegalStateException("bootstrap-policy.txt: " + line);
        }
    }

    private void startClusterRole(String name, List<String> words) {
        role = create("ClusterRole", "", name);
        label(role, name, words);
        clusterRules.put(name, rules);
    }

    private void startAggregate(String name, List<String> words) {
        ObjectNode aggregate = create("ClusterRole", "", name);
        label(aggregate, name, words);
        aggregate
                .putObject("aggregationRule")
                .putArray("clusterRoleSelectors")
                .addObject()
                .putObject("matchLabels")
                .put(AGGREGATE_LABEL + name, "true");
        aggregates.put(name, aggregate);
    }

    private void label(ObjectNode object, String name, List<String> words) {
        for (String word : words) {
            if (word.startsWith("+")) {
                Json.child(Json.child(object, "metadata"), "labels").put(AGGREGATE_LABEL + word.substring(1), "true");
                members.computeIfAbsent(word.substring(1), key -> new ArrayList<>())
                        .add(name);
            }
        }
    }

    private void finishRole() {
        if (role != null) {
            putRules(role, rules);
            role = null;
        }
        rules = new ArrayList<>();
    }

    private void fillAggregates() {
        aggregates.forEach((name, aggregate) -> putRules(aggregate, gather(name)));
    }

    /** In the order of the members' names, as the aggregation controller gathers: a fresh cluster has nothing to mend. */
    private Set<PolicyRule> gather(String aggregate) {
        Set<PolicyRule> gathered = new LinkedHashSet<>();
        for (String member :
                members.getOrDefault(aggregate, List.of()).stream().sorted().toList()) {
            gathered.addAll(
                    aggregates.containsKey(member) ? gather(member) : clusterRules.getOrDefault(member, List.of()));
        }
        return gathered;
    }

    private static void putRules(ObjectNode object, Iterable<PolicyRule> rules) {
        ArrayNode array = object.putArray("rules");
        rules.forEach(rule -> array.add(rule.toJson()));
    }

    private static PolicyRule rule(String line) {
        if (line.equals("events")) {
            return RECORD_EVENTS;
        }
        List<String> words = Arrays.asList(line.split(" ", -1));
        List<String> verbs = VERBS.getOrDefault(words.getFirst(), list(words.getFirst()));
        if (words.get(1).equals("url")) {
            return new PolicyRule(verbs, List.of(), List.of(), List.of(), list(words.get(2)));
        }
        List<String> groups = list(words.get(1)).stream()
                .map(group -> group.equals("core") ? "" : group)
                .toList();
        return new PolicyRule(
                verbs, groups, list(words.get(2)), words.size() > 3 ? list(words.get(3)) : List.of(), List.of());
    }

    private static List<String> list(String commas) {
        return Arrays.asList(commas.split(",", -1));
    }

    private void bind(
            String kind, String namespace, String name, String roleKind, String roleName, List<String> subjects) {
        ObjectNode binding = create(kind, namespace, name);
        ArrayNode array = Json.array();
        for (String subject : subjects) {
            array.add(subject(subject));
        }
        if (!array.isEmpty()) {
            binding.set("subjects", array);
        }
        binding.putObject("roleRef")
                .put("apiGroup", GROUP)
                .put("kind", roleKind)
                .put("name", roleName);
    }

    private static ObjectNode subject(String text) {
        int equals = text.indexOf('=');
        String value = text.substring(equals + 1);
        ObjectNode subject = Json.object();
        if (text.startsWith("sa=")) {
            int slash = value.indexOf('/');
            return subject.put("kind", "ServiceAccount")
                    .put("name", value.substring(slash + 1))
                    .put("namespace", value.substring(0, slash));
        }
        return subject.put("kind", text.startsWith("user=") ? "User" : "Group")
                .put("apiGroup", GROUP)
                .put("name", value);
    }

    private ObjectNode create(String kind, String namespace, String name) {
        ObjectNode object = Json.object();
        object.put("kind", kind).put("apiVersion", API_VERSION);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
        metadata.putObject("annotations").put("rbac.authorization.kubernetes.io/autoupdate", "true");
        objects.add(object);
        return object;
    }
}
