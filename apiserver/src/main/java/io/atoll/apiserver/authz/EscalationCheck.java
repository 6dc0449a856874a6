package io.atoll.apiserver.authz;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Nobody grants what they do not have: writing a role takes all its rights or the verb {@code escalate}, writing a
 * binding takes all rights of its role or the verb {@code bind}. Stateless; any thread.
 */
final class EscalationCheck implements Admission {
    private final RbacAuthorizer authorizer;

    EscalationCheck(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public void validate(AdmissionRequest request) {
        ObjectNode object = request.object();
        if (object == null
                || !request.resource().type().group().equals(BootstrapPolicy.GROUP)
                || !request.subresource().isEmpty()
                || request.user().groups().contains(UserInfo.SYSTEM_MASTERS)) {
            return;
        }
        switch (request.resource().type().resource()) {
            case "roles", "clusterroles" -> checkRole(request, object);
            case "rolebindings", "clusterrolebindings" -> checkBinding(request, object);
            default -> {}
        }
    }

    private void checkRole(AdmissionRequest request, ObjectNode role) {
        ObjectNode before = request.before();
        if (request.operation() == Operation.UPDATE
                && before != null
                && before.path("rules").equals(role.path("rules"))
                && before.path("aggregationRule").equals(role.path("aggregationRule"))) {
            return;
        }
        if (mayDo(request, "escalate", resource(request), request.name())) {
            return;
        }
        List<PolicyRule> held = authorizer.rulesFor(request.user(), request.namespace());
        confirm(request, held, PolicyRule.listOf(role.path("rules")));
        boolean aggregates = isAggregate(role) || (before != null && isAggregate(before));
        if (aggregates && !missing(held, PolicyRule.EVERYTHING).isEmpty()) {
            throw ApiException.forbidden(
                    resource(request), request.name(), "must have cluster-admin privileges to use an aggregationRule");
        }
    }

    private void checkBinding(AdmissionRequest request, ObjectNode binding) {
        ObjectNode before = request.before();
        if (request.operation() == Operation.UPDATE
                && before != null
                && before.path("subjects").equals(binding.path("subjects"))
                && before.path("roleRef").equals(binding.path("roleRef"))) {
            return;
        }
        RoleKey role = Binding.role(binding, request.namespace());
        GroupResource roles = new GroupResource(BootstrapPolicy.GROUP, role.resource());
        if (mayDo(request, "bind", roles, role.name())) {
            return;
        }
        List<PolicyRule> granted =
                authorizer.rulesOf(role).orElseThrow(() -> ApiException.notFound(roles, role.name()));
        confirm(request, authorizer.rulesFor(request.user(), request.namespace()), granted);
    }

    private boolean mayDo(AdmissionRequest request, String verb, GroupResource roles, String name) {
        return authorizer
                .authorize(new Attributes(
                        request.user(),
                        verb,
                        roles.group(),
                        request.resource().type().version(),
                        roles.resource(),
                        "",
                        request.namespace(),
                        name,
                        ""))
                .allowed();
    }

    private static void confirm(AdmissionRequest request, List<PolicyRule> held, List<PolicyRule> granted) {
        List<PolicyRule> missing = missing(held, granted);
        if (missing.isEmpty()) {
            return;
        }
        TreeSet<String> shown = new TreeSet<>();
        missing.forEach(rule -> shown.add(rule.compact()));
        throw ApiException.forbidden(
                resource(request),
                request.name(),
                "user \"" + request.user().name() + "\" (groups="
                        + PolicyRule.quoted(request.user().groups())
                        + ") is attempting to grant RBAC permissions not currently held:\n"
                        + String.join("\n", shown));
    }

    /** What of the granted rules is not held, verbs of the same resource together. */
    private static List<PolicyRule> missing(List<PolicyRule> held, List<PolicyRule> granted) {
        Map<PolicyRule, List<String>> verbs = new LinkedHashMap<>();
        for (PolicyRule rule : granted) {
            for (PolicyRule single : rule.split()) {
                if (held.stream().noneMatch(owned -> owned.covers(single))) {
                    verbs.computeIfAbsent(single.withVerbs(List.of()), key -> new ArrayList<>())
                            .addAll(single.verbs());
                }
            }
        }
        List<PolicyRule> missing = new ArrayList<>();
        verbs.forEach((rule, of) -> missing.add(rule.withVerbs(of)));
        return missing;
    }

    private static boolean isAggregate(JsonNode role) {
        return !role.path("aggregationRule").path("clusterRoleSelectors").isEmpty();
    }

    private static GroupResource resource(AdmissionRequest request) {
        return request.resource().type().groupResource();
    }
}
