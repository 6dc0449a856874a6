package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authz.Attributes;
import io.atoll.apiserver.authz.Authorizer;
import io.atoll.model.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The {@code Impersonate-*} headers: acting as another user, if the verb {@code impersonate} allows it. Stateless. */
final class Impersonation {
    private static final String EXTRA = "impersonate-extra-";
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    private Impersonation() {}

    /** Who the request counts for. */
    static UserInfo effectiveUser(ApiRequest request, Authorizer authorizer) {
        String name = request.header("impersonate-user", "");
        List<String> groups = list(request.header("impersonate-group", ""));
        String uid = request.header("impersonate-uid", "");
        Map<String, List<String>> extra = new TreeMap<>();
        request.headers().forEach((header, value) -> {
            if (header.startsWith(EXTRA)) {
                extra.put(header.substring(EXTRA.length()), list(value));
            }
        });
        if (name.isEmpty()) {
            if (!groups.isEmpty() || !uid.isEmpty() || !extra.isEmpty()) {
                throw ApiException.badRequest("requested impersonation without impersonating a user");
            }
            return request.user();
        }
        authorizeUser(request.user(), name, authorizer);
        for (String group : groups) {
            require(request.user(), authorizer, "", "groups", "", "", group);
        }
        if (!uid.isEmpty()) {
            require(request.user(), authorizer, "authentication.k8s.io", "uids", "", "", uid);
        }
        extra.forEach((key, values) -> values.forEach(
                value -> require(request.user(), authorizer, "authentication.k8s.io", "userextras", key, "", value)));
        return new UserInfo(name, uid, groupsOf(name, groups), extra);
    }

    private static void authorizeUser(UserInfo user, String name, Authorizer authorizer) {
        String[] parts = name.split(":");
        if (name.startsWith(SERVICE_ACCOUNT) && parts.length == 4) {
            require(user, authorizer, "", "serviceaccounts", "", parts[2], parts[3]);
        } else {
            require(user, authorizer, "", "users", "", "", name);
        }
    }

    private static List<String> groupsOf(String name, List<String> asked) {
        List<String> groups = new ArrayList<>(asked);
        String[] parts = name.split(":");
        if (name.startsWith(SERVICE_ACCOUNT) && parts.length == 4 && asked.isEmpty()) {
            groups.add("system:serviceaccounts");
            groups.add("system:serviceaccounts:" + parts[2]);
        }
        String every = name.equals(UserInfo.ANONYMOUS.name())
                ? UserInfo.SYSTEM_UNAUTHENTICATED
                : UserInfo.SYSTEM_AUTHENTICATED;
        if (!groups.contains(every)) {
            groups.add(every);
        }
        return groups;
    }

    private static void require(
            UserInfo user,
            Authorizer authorizer,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name) {
        Access.require(
                authorizer,
                new Attributes(user, "impersonate", group, "v1", resource, subresource, namespace, name, ""));
    }

    private static List<String> list(String header) {
        List<String> values = new ArrayList<>();
        for (String value : header.split(",")) {
            if (!value.isBlank()) {
                values.add(value.strip());
            }
        }
        return values;
    }
}
