package io.atoll.apiserver.authz;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.UserInfo;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The roles and bindings of one cluster at one moment, aggregated roles resolved. Immutable once built. */
final class RbacIndex {
    private final Map<RoleKey, List<PolicyRule>> rules = new HashMap<>();
    /** By namespace (empty: of the cluster), then by subject. */
    private final Map<String, Map<Subject, List<Grant>>> grants = new HashMap<>();

    /**
     * A binding that names the user.
     *
     * @param rules of its role; empty when the role is missing
     */
    record Grant(Binding binding, Subject subject, Optional<List<PolicyRule>> rules) {}

    private RbacIndex() {}

    static RbacIndex read(ObjectReader objects) {
        RbacIndex index = new RbacIndex();
        index.readClusterRoles(list(objects, "clusterroles"));
        for (ObjectNode role : list(objects, "roles")) {
            index.rules.put(
                    new RoleKey(Metadata.namespace(role), Metadata.name(role)), PolicyRule.listOf(role.path("rules")));
        }
        for (String resource : List.of("clusterrolebindings", "rolebindings")) {
            for (ObjectNode object : list(objects, resource)) {
                index.add(Binding.of(object));
            }
        }
        return index;
    }

    private void add(Binding binding) {
        Map<Subject, List<Grant>> bySubject = grants.computeIfAbsent(binding.namespace(), key -> new HashMap<>());
        for (Subject subject : binding.subjects()) {
            bySubject
                    .computeIfAbsent(subject, key -> new ArrayList<>(1))
                    .add(new Grant(binding, subject, rules(binding.role())));
        }
    }

    private static List<ObjectNode> list(ObjectReader objects, String resource) {
        List<ObjectNode> parsed = new ArrayList<>();
        for (byte[] object : objects.list(new GroupResource(BootstrapPolicy.GROUP, resource), "")) {
            parsed.add(Json.parse(object));
        }
        return parsed;
    }

    private void readClusterRoles(List<ObjectNode> roles) {
        Map<String, ObjectNode> byName = new TreeMap<>();
        roles.forEach(role -> byName.put(Metadata.name(role), role));
        byName.forEach((name, role) -> rules.put(
                new RoleKey("", name),
                role.has("aggregationRule")
                        ? List.copyOf(aggregate(role, byName, new LinkedHashSet<>(Set.of(name))))
                        : PolicyRule.listOf(role.path("rules"))));
    }

    /**
     * The rules that an aggregated role gathers, so that it does not matter whether a controller has written them into
     * it yet.
     */
    private static Set<PolicyRule> aggregate(ObjectNode role, Map<String, ObjectNode> byName, Set<String> visited) {
        Set<PolicyRule> gathered = new LinkedHashSet<>();
        for (JsonNode selector : role.path("aggregationRule").path("clusterRoleSelectors")) {
            LabelSelector labels = LabelSelector.of(selector);
            byName.forEach((name, member) -> {
                if (labels.matches(Metadata.labels(member)) && visited.add(name)) {
                    gathered.addAll(
                            member.has("aggregationRule")
                                    ? aggregate(member, byName, visited)
                                    : PolicyRule.listOf(member.path("rules")));
                }
            });
        }
        return gathered;
    }

    Optional<List<PolicyRule>> rules(RoleKey role) {
        return Optional.ofNullable(rules.get(role));
    }

    /** The bindings of a namespace (empty: of the cluster) that name the user. */
    List<Grant> grants(UserInfo user, String namespace) {
        Map<Subject, List<Grant>> bySubject = grants.get(namespace);
        if (bySubject == null) {
            return List.of();
        }
        List<Grant> found = new ArrayList<>();
        for (Subject subject : Subject.of(user)) {
            found.addAll(bySubject.getOrDefault(subject, List.of()));
        }
        return found;
    }

    /** All that bindings grant the user in a namespace; in an empty one only what holds cluster-wide. */
    List<PolicyRule> rulesFor(UserInfo user, String namespace) {
        List<PolicyRule> all = new ArrayList<>();
        grants(user, "").forEach(grant -> grant.rules().ifPresent(all::addAll));
        if (!namespace.isEmpty()) {
            grants(user, namespace).forEach(grant -> grant.rules().ifPresent(all::addAll));
        }
        return all;
    }
}
