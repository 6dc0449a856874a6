package io.atoll.apiserver.authn;

import io.atoll.apiserver.UserInfo;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The wish of a request to be made as another user, read from its {@code Impersonate-*} headers. Immutable.
 *
 * <p>It is granted when the caller may {@code impersonate} each of {@link #checks}; then the request goes on as
 * {@link #user}.
 *
 * @param uid empty when not asked for
 */
public record Impersonation(String userName, String uid, List<String> groups, Map<String, List<String>> extra) {
    private static final String USER = "impersonate-user";
    private static final String GROUP = "impersonate-group";
    private static final String UID = "impersonate-uid";
    private static final String EXTRA = "impersonate-extra-";

    public Impersonation {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /** One thing that the caller must be allowed to {@code impersonate}. */
    public record Check(String group, String resource, String subresource, String namespace, String name) {}

    /**
     * The wish in a request's headers, if there is one.
     *
     * @param headers by lower-case name, repeated ones joined by newlines, as in {@code ApiRequest}
     * @throws ApiException when groups or the like are asked for without a user
     */
    public static Optional<Impersonation> of(Map<String, String> headers) {
        String user = headers.getOrDefault(USER, "");
        String uid = headers.getOrDefault(UID, "");
        List<String> groups = lines(headers.get(GROUP));
        Map<String, List<String>> extra = new TreeMap<>();
        headers.forEach((name, value) -> {
            if (name.startsWith(EXTRA)) {
                extra.put(URLDecoder.decode(name.substring(EXTRA.length()), StandardCharsets.UTF_8), lines(value));
            }
        });
        if (!user.isEmpty()) {
            return Optional.of(new Impersonation(user, uid, groups, extra));
        }
        if (!uid.isEmpty() || !groups.isEmpty() || !extra.isEmpty()) {
            throw new ApiException(
                    StatusReason.InternalError,
                    "Internal error occurred: requested groups, uid or extra without impersonating a user");
        }
        return Optional.empty();
    }

    private static List<String> lines(@org.jspecify.annotations.Nullable String joined) {
        return joined == null
                ? List.of()
                : joined.lines().filter(line -> !line.isEmpty()).toList();
    }

    public List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        String[] account = serviceAccount();
        checks.add(
                account.length == 2
                        ? new Check("", "serviceaccounts", "", account[0], account[1])
                        : new Check("", "users", "", "", userName));
        groups.forEach(group -> checks.add(new Check("", "groups", "", "", group)));
        extra.forEach((key, values) ->
                values.forEach(value -> checks.add(new Check("authentication.k8s.io", "userextras", key, "", value))));
        if (!uid.isEmpty()) {
            checks.add(new Check("authentication.k8s.io", "uids", "", "", uid));
        }
        return checks;
    }

    /** The user that the request goes on as, once granted. */
    public UserInfo user() {
        List<String> all = new ArrayList<>(groups);
        String[] account = serviceAccount();
        if (account.length == 2 && groups.isEmpty()) {
            all.add("system:serviceaccounts");
            all.add("system:serviceaccounts:" + account[0]);
        }
        boolean anonymous = userName.equals(UserInfo.ANONYMOUS.name());
        String everybody = anonymous ? UserInfo.SYSTEM_UNAUTHENTICATED : UserInfo.SYSTEM_AUTHENTICATED;
        if (!all.contains(UserInfo.SYSTEM_AUTHENTICATED) && !all.contains(UserInfo.SYSTEM_UNAUTHENTICATED)) {
            all.add(everybody);
        }
        return new UserInfo(userName, uid, all, new LinkedHashMap<>(extra));
    }

    /** Namespace and name, or nothing. */
    private String[] serviceAccount() {
        if (!userName.startsWith(ServiceAccountTokens.USER_PREFIX)) {
            return new String[0];
        }
        String[] parts =
                userName.substring(ServiceAccountTokens.USER_PREFIX.length()).split(":", -1);
        return parts.length == 2 ? parts : new String[0];
    }
}
