package io.atoll.apiserver.authz;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A RoleBinding, or a ClusterRoleBinding when the namespace is empty. Immutable.
 *
 * @param role whose rules it grants
 */
record Binding(String namespace, String name, List<Subject> subjects, RoleKey role) {
    Binding {
        subjects = List.copyOf(subjects);
    }

    static Binding of(JsonNode object) {
        String namespace = object.path("metadata").path("namespace").asString("");
        List<Subject> subjects = new ArrayList<>();
        for (JsonNode subject : object.path("subjects")) {
            subjects.add(Subject.of(subject, namespace));
        }
        return new Binding(
                namespace, object.path("metadata").path("name").asString(""), subjects, role(object, namespace));
    }

    static RoleKey role(JsonNode binding, String namespace) {
        JsonNode reference = binding.path("roleRef");
        boolean ofCluster = reference.path("kind").asString("").equals("ClusterRole");
        return new RoleKey(ofCluster ? "" : namespace, reference.path("name").asString(""));
    }

    String kind() {
        return namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding";
    }
}
