package io.atoll.apiserver.authn;

import com.nimbusds.jwt.JWTClaimsSet;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authn.TokenSpec.ObjectIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a token with a good signature says. Immutable. */
record TokenClaims(
        String namespace,
        ObjectIdentity serviceAccount,
        Optional<ObjectIdentity> pod,
        Optional<ObjectIdentity> node,
        Optional<ObjectIdentity> secret,
        List<String> audiences,
        Instant notBefore,
        Instant expires,
        UserInfo user) {
    private static final String EXTRA = "authentication.kubernetes.io/";

    /** Clocks of a token's maker and reader differ a little. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    boolean validAt(Instant now) {
        return !now.isBefore(notBefore.minus(SKEW)) && now.isBefore(expires);
    }

    /** Empty when a claim is missing or the subject is not the service account that the rest speaks of. */
    static Optional<TokenClaims> read(JWTClaimsSet claims, @Nullable Map<String, Object> kubernetes) {
        if (kubernetes == null
                || claims.getExpirationTime() == null
                || !(kubernetes.get("namespace") instanceof String namespace)) {
            return Optional.empty();
        }
        Optional<ObjectIdentity> account = identity(kubernetes.get("serviceaccount"));
        if (account.isEmpty()) {
            return Optional.empty();
        }
        String userName = ServiceAccountTokens.USER_PREFIX + namespace + ":"
                + account.get().name();
        if (!userName.equals(claims.getSubject())) {
            return Optional.empty();
        }
        Optional<ObjectIdentity> pod = identity(kubernetes.get("pod"));
        Optional<ObjectIdentity> node = identity(kubernetes.get("node"));
        Map<String, List<String>> extra = new LinkedHashMap<>();
        if (claims.getJWTID() != null) {
            extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.getJWTID()));
        }
        pod.ifPresent(bound -> put(extra, "pod", bound));
        node.ifPresent(bound -> put(extra, "node", bound));
        UserInfo user = new UserInfo(userName, account.get().uid(), groups(namespace), extra);
        Instant notBefore = claims.getNotBeforeTime() == null
                ? Instant.EPOCH
                : claims.getNotBeforeTime().toInstant();
        return Optional.of(new TokenClaims(
                namespace,
                account.get(),
                pod,
                node,
                identity(kubernetes.get("secret")),
                claims.getAudience(),
                notBefore,
                claims.getExpirationTime().toInstant(),
                user));
    }

    static List<String> groups(String namespace) {
        return List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, UserInfo.SYSTEM_AUTHENTICATED);
    }

    private static void put(Map<String, List<String>> extra, String kind, ObjectIdentity object) {
        extra.put(EXTRA + kind + "-name", List.of(object.name()));
        extra.put(EXTRA + kind + "-uid", List.of(object.uid()));
    }

    private static Optional<ObjectIdentity> identity(@Nullable Object claim) {
        return claim instanceof Map<?, ?> fields
                        && fields.get("name") instanceof String name
                        && fields.get("uid") instanceof String uid
                ? Optional.of(new ObjectIdentity(name, uid))
                : Optional.empty();
    }
}
