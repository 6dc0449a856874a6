package io.atoll.apiserver.authn;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A service-account token to issue. Immutable.
 *
 * @param audiences empty for the API server itself
 * @param pod set for tokens bound to a pod; the token dies with it
 * @param node where that pod runs, or what the token is bound to
 * @param secret set for tokens bound to a Secret
 */
public record TokenSpec(
        String namespace,
        ObjectIdentity serviceAccount,
        List<String> audiences,
        Duration life,
        Optional<ObjectIdentity> pod,
        Optional<ObjectIdentity> node,
        Optional<ObjectIdentity> secret) {
    public TokenSpec {
        audiences = List.copyOf(audiences);
    }

    /** A token bound to its service account only. */
    public static TokenSpec of(String namespace, ObjectIdentity serviceAccount, List<String> audiences, Duration life) {
        return new TokenSpec(
                namespace, serviceAccount, audiences, life, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public TokenSpec boundToPod(ObjectIdentity boundPod, Optional<ObjectIdentity> itsNode) {
        return new TokenSpec(namespace, serviceAccount, audiences, life, Optional.of(boundPod), itsNode, secret);
    }

    public TokenSpec boundToNode(ObjectIdentity boundNode) {
        return new TokenSpec(namespace, serviceAccount, audiences, life, pod, Optional.of(boundNode), secret);
    }

    public TokenSpec boundToSecret(ObjectIdentity boundSecret) {
        return new TokenSpec(namespace, serviceAccount, audiences, life, pod, node, Optional.of(boundSecret));
    }

    /** One life of an object. */
    public record ObjectIdentity(String name, String uid) {}
}
