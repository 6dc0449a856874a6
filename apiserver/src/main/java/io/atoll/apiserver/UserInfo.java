package io.atoll.apiserver;

import java.util.List;
import java.util.Map;

/** Who makes a request, as {@code authentication.k8s.io/v1 UserInfo}. Immutable. */
public record UserInfo(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public static final String SYSTEM_MASTERS = "system:masters";
    public static final String SYSTEM_AUTHENTICATED = "system:authenticated";
    public static final String SYSTEM_UNAUTHENTICATED = "system:unauthenticated";

    /** Requests without credentials. */
    public static final UserInfo ANONYMOUS =
            new UserInfo("system:anonymous", "", List.of(SYSTEM_UNAUTHENTICATED), Map.of());

    public UserInfo {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    public static UserInfo of(String name, String... groups) {
        return new UserInfo(name, "", List.of(groups), Map.of());
    }
}
