package io.atoll.apiserver.authz;

import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One rule of a role, as in {@code rbac.authorization.k8s.io/v1}. Immutable.
 *
 * @param resources plural names, {@code pods/log}, a star for all, or a star before a slash and a subresource
 * @param resourceNames empty for all names
 * @param nonResourceUrls paths; a trailing {@code *} stands for any rest
 */
record PolicyRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls) {
    private static final String ALL = "*";

    PolicyRule {
        verbs = List.copyOf(verbs);
        apiGroups = List.copyOf(apiGroups);
        resources = List.copyOf(resources);
        resourceNames = List.copyOf(resourceNames);
        nonResourceUrls = List.copyOf(nonResourceUrls);
    }

    /** Every action on every resource and path: what an aggregation rule may gather. */
    static final List<PolicyRule> EVERYTHING = List.of(
            new PolicyRule(List.of(ALL), List.of(ALL), List.of(ALL), List.of(), List.of()),
            new PolicyRule(List.of(ALL), List.of(), List.of(), List.of(), List.of(ALL)));

    static PolicyRule of(JsonNode rule) {
        return new PolicyRule(
                strings(rule.path("verbs")),
                strings(rule.path("apiGroups")),
                strings(rule.path("resources")),
                strings(rule.path("resourceNames")),
                strings(rule.path("nonResourceURLs")));
    }

    static List<PolicyRule> listOf(JsonNode rules) {
        List<PolicyRule> parsed = new ArrayList<>(rules.size());
        for (JsonNode rule : rules) {
            parsed.add(BootstrapPolicy.shared(of(rule)));
        }
        return parsed;
    }

    boolean allows(Attributes request) {
        if (!has(verbs, request.verb())) {
            return false;
        }
        if (!request.resourceRequest()) {
            return allowsPath(request.path());
        }
        return has(apiGroups, request.group())
                && allowsResource(request.resource(), request.subresource())
                && (resourceNames.isEmpty() || resourceNames.contains(request.name()));
    }

    private boolean allowsResource(String resource, String subresource) {
        if (subresource.isEmpty()) {
            return has(resources, resource);
        }
        return has(resources, resource + "/" + subresource) || resources.contains("*/" + subresource);
    }

    private boolean allowsPath(String path) {
        for (String url : nonResourceUrls) {
            if (url.equals(ALL) || url.equals(path)) {
                return true;
            }
            if (url.endsWith(ALL) && path.startsWith(url.substring(0, url.length() - 1))) {
                return true;
            }
        }
        return false;
    }

    /** Whether whoever has this rule has all that the other one grants. */
    boolean covers(PolicyRule other) {
        return containsAll(verbs, other.verbs)
                && containsAll(apiGroups, other.apiGroups)
                && other.resources.stream().allMatch(this::coversResource)
                && coversNames(other.resourceNames)
                && other.nonResourceUrls.stream().allMatch(this::coversUrl)
                && other.nonResourceUrls.isEmpty() == nonResourceUrls.isEmpty();
    }

    private boolean coversResource(String resource) {
        int slash = resource.indexOf('/');
        return has(resources, resource) || (slash >= 0 && resources.contains("*" + resource.substring(slash)));
    }

    private boolean coversNames(List<String> names) {
        return resourceNames.isEmpty() || (!names.isEmpty() && resourceNames.containsAll(names));
    }

    private boolean coversUrl(String url) {
        for (String owned : nonResourceUrls) {
            if (owned.equals(ALL) || owned.equals(url)) {
                return true;
            }
            if (owned.endsWith(ALL) && url.startsWith(owned.substring(0, owned.length() - 1))) {
                return true;
            }
        }
        return false;
    }

    /** Rules that grant one thing each and together the same. */
    List<PolicyRule> split() {
        List<PolicyRule> single = new ArrayList<>();
        for (String verb : verbs) {
            for (String url : nonResourceUrls) {
                single.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(url)));
            }
            for (String group : apiGroups) {
                for (String resource : resources) {
                    for (String name : resourceNames.isEmpty() ? List.of("") : resourceNames) {
                        List<String> names = name.isEmpty() ? List.of() : List.of(name);
                        single.add(new PolicyRule(List.of(verb), List.of(group), List.of(resource), names, List.of()));
                    }
                }
            }
        }
        return single;
    }

    PolicyRule withVerbs(List<String> others) {
        return new PolicyRule(others, apiGroups, resources, resourceNames, nonResourceUrls);
    }

    ObjectNode toJson() {
        ObjectNode rule = Json.object();
        put(rule, "verbs", verbs);
        put(rule, "apiGroups", apiGroups);
        put(rule, "resources", resources);
        put(rule, "resourceNames", resourceNames);
        put(rule, "nonResourceURLs", nonResourceUrls);
        return rule;
    }

    /** As refusals quote it: {@code {APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}}. */
    String compact() {
        StringJoiner parts = new StringJoiner(", ", "{", "}");
        add(parts, "APIGroups", apiGroups);
        add(parts, "Resources", resources);
        add(parts, "NonResourceURLs", nonResourceUrls);
        add(parts, "ResourceNames", resourceNames);
        add(parts, "Verbs", verbs);
        return parts.toString();
    }

    /** A list as Go prints it with {@code %q}. */
    static String quoted(List<String> texts) {
        StringJoiner joined = new StringJoiner(" ", "[", "]");
        texts.forEach(text -> joined.add("\"" + text + "\""));
        return joined.toString();
    }

    private static void add(StringJoiner parts, String name, List<String> values) {
        if (!values.isEmpty()) {
            parts.add(name + ":" + quoted(values));
        }
    }

    private static void put(ObjectNode rule, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(rule.putArray(field)::add);
        }
    }

    private static boolean has(List<String> values, String value) {
        return values.contains(ALL) || values.contains(value);
    }

    private static boolean containsAll(List<String> values, List<String> wanted) {
        return values.contains(ALL) || values.containsAll(wanted);
    }

    private static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode element : array) {
            texts.add(element.asString(""));
        }
        return texts;
    }
}
