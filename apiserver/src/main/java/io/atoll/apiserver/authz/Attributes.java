package io.atoll.apiserver.authz;

import io.atoll.apiserver.UserInfo;

/**
 * What an authorizer decides on: one action of one user. Immutable.
 *
 * @param verb for resources {@code get, list, watch, create, update, patch, delete, deletecollection} or a special one
 *     ({@code impersonate, escalate, bind, approve}); for other paths the method in lower case
 * @param resource the plural name; empty when {@link #path} is set
 * @param subresource empty for the resource itself
 * @param namespace empty for cluster scope or all namespaces
 * @param name empty for requests on a whole collection
 * @param path of a request that names no resource, e.g. {@code /healthz}; else empty
 */
public record Attributes(
        UserInfo user,
        String verb,
        String group,
        String version,
        String resource,
        String subresource,
        String namespace,
        String name,
        String path) {

    /** A request on a path that is no resource. */
    public static Attributes ofPath(UserInfo user, String verb, String path) {
        return new Attributes(user, verb, "", "", "", "", "", "", path);
    }

    public boolean resourceRequest() {
        return path.isEmpty();
    }
}
