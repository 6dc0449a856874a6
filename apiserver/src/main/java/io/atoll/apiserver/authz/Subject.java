package io.atoll.apiserver.authz;

import io.atoll.apiserver.UserInfo;
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
        String namespace = subject.path("namespace").asString("");
        return new Subject(
                subject.path("kind").asString(""),
                namespace.isEmpty() ? bindingNamespace : namespace,
                subject.path("name").asString(""));
    }

    boolean matches(UserInfo user) {
        return switch (kind) {
            case USER -> user.name().equals(name);
            case GROUP -> user.groups().contains(name);
            case SERVICE_ACCOUNT -> isServiceAccount(user.name());
            default -> false;
        };
    }

    /** Compares without joining the parts: this runs for each binding of each request. */
    private boolean isServiceAccount(String userName) {
        return !namespace.isEmpty()
                && userName.length() == SERVICE_ACCOUNT_PREFIX.length() + namespace.length() + 1 + name.length()
                && userName.startsWith(SERVICE_ACCOUNT_PREFIX)
                && userName.startsWith(namespace, SERVICE_ACCOUNT_PREFIX.length())
                && userName.charAt(SERVICE_ACCOUNT_PREFIX.length() + namespace.length()) == ':'
                && userName.endsWith(name);
    }

    /** As reasons show it: {@code User "ann"}, {@code ServiceAccount "sa/ns"}. */
    @Override
    public String toString() {
        return kind.equals(SERVICE_ACCOUNT) ? kind + " \"" + name + "/" + namespace + "\"" : kind + " \"" + name + "\"";
    }
}
