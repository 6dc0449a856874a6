package io.atoll.apiserver.authz;

import io.atoll.apiserver.UserInfo;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Whom a binding names. Immutable.
 *
 * @param namespace of a service account; else empty
 */
record Subject(String kind, String namespace, String name) {
    static final String USER = "User";
    static final String GROUP = "Group";
    static final String SERVICE_ACCOUNT = "ServiceAccount";

    private static final String SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:";

    /** Reads a subject; a service account without a namespace is one of the binding's. */
    static Subject of(JsonNode subject, String bindingNamespace) {
        String kind = subject.path("kind").asString("");
        String name = subject.path("name").asString("");
        if (!kind.equals(SERVICE_ACCOUNT)) {
            return new Subject(kind, "", name);
        }
        String namespace = subject.path("namespace").asString("");
        return new Subject(kind, namespace.isEmpty() ? bindingNamespace : namespace, name);
    }

    /** All that a binding may name to mean the user. */
    static List<Subject> of(UserInfo user) {
        List<Subject> subjects = new ArrayList<>(user.groups().size() + 2);
        subjects.add(new Subject(USER, "", user.name()));
        if (user.name().startsWith(SERVICE_ACCOUNT_PREFIX)) {
            int colon = user.name().indexOf(':', SERVICE_ACCOUNT_PREFIX.length());
            if (colon > 0) {
                subjects.add(new Subject(
                        SERVICE_ACCOUNT,
                        user.name().substring(SERVICE_ACCOUNT_PREFIX.length(), colon),
                        user.name().substring(colon + 1)));
            }
        }
        for (String group : user.groups()) {
            subjects.add(new Subject(GROUP, "", group));
        }
        return subjects;
    }

    /** As reasons show it: {@code User "ann"}, {@code ServiceAccount "sa/ns"}. */
    @Override
    public String toString() {
        return kind.equals(SERVICE_ACCOUNT) ? kind + " \"" + name + "/" + namespace + "\"" : kind + " \"" + name + "\"";
    }
}
