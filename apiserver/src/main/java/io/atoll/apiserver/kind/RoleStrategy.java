package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.NameRule;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Roles and what binds them.
 *
 * @param binding whether it is a binding
 * @param cluster whether it is cluster scoped
 */
record RoleStrategy(boolean binding, boolean cluster) implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.CREATE_ON_UPDATE).named(NameRule.PATH_SEGMENT);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode object) {
        for (JsonNode node : object.path("subjects")) {
            if (node instanceof ObjectNode subject && !subject.has("apiGroup")) {
                String kind = subject.path("kind").asString("");
                if (kind.equals("User") || kind.equals("Group")) {
                    subject.put("apiGroup", "rbac.authorization.k8s.io");
                }
            }
        }
        if (!binding && !object.has("rules")) {
            object.putNull("rules");
        }
    }

    @Override
    public void validate(ObjectNode object, Mistakes mistakes) {
        if (binding) {
            binding(object, mistakes);
            return;
        }
        int at = 0;
        for (JsonNode rule : object.path("rules")) {
            String path = "rules[" + at++ + "]";
            if (rule.path("verbs").isEmpty()) {
                mistakes.required(path + ".verbs", "verbs must contain at least one value");
            }
            if (!rule.path("nonResourceURLs").isEmpty()) {
                if (!cluster) {
                    mistakes.invalid(
                            path + ".nonResourceURLs",
                            rule.path("nonResourceURLs"),
                            "namespaced rules cannot apply to non-resource URLs");
                }
                if (!rule.path("resources").isEmpty()) {
                    mistakes.invalid(
                            path + ".nonResourceURLs",
                            rule.path("nonResourceURLs"),
                            "rules cannot apply to both regular resources and non-resource URLs");
                }
            } else {
                if (rule.path("apiGroups").isEmpty()) {
                    mistakes.required(path + ".apiGroups", "resource rules must supply at least one api group");
                }
                if (rule.path("resources").isEmpty()) {
                    mistakes.required(path + ".resources", "resource rules must supply at least one resource");
                }
            }
        }
    }

    private void binding(ObjectNode object, Mistakes mistakes) {
        JsonNode role = object.path("roleRef");
        if (cluster) {
            PodSpecRules.oneOf("roleRef.kind", role.path("kind"), mistakes, "ClusterRole");
        } else {
            PodSpecRules.oneOf("roleRef.kind", role.path("kind"), mistakes, "Role", "ClusterRole");
        }
        if (role.path("name").asString("").isEmpty()) {
            mistakes.required("roleRef.name", "");
        }
        int at = 0;
        for (JsonNode subject : object.path("subjects")) {
            String path = "subjects[" + at++ + "]";
            String kind = subject.path("kind").asString("");
            if (subject.path("name").asString("").isEmpty()) {
                mistakes.required(path + ".name", "");
            }
            PodSpecRules.oneOf(path + ".kind", subject.path("kind"), mistakes, "ServiceAccount", "User", "Group");
            if (kind.equals("ServiceAccount")
                    && cluster
                    && subject.path("namespace").asString("").isEmpty()) {
                mistakes.required(path + ".namespace", "");
            }
        }
    }

    @Override
    public void validateUpdate(Write write, ObjectNode object, ObjectNode before, Mistakes mistakes) {
        if (binding && !Json.same(object.path("roleRef"), before.path("roleRef"))) {
            mistakes.invalid("roleRef", object.path("roleRef"), "cannot change roleRef");
        }
    }
}
