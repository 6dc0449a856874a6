package io.atoll.syncer;

import io.atoll.client.Client;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.PodTokens;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The service-account tokens of pods: asked for in the tenant, bound to the pod, kept in a host Secret that goes with the
 * host pod, and renewed before they expire. Any thread, but one at a time for the same pod.
 */
final class TokenSync {
    /** Of a token's life, as the kubelet does. */
    private static final int RENEW_AFTER_PERCENT = 80;

    private final SyncContext context;

    TokenSync(SyncContext context) {
        this.context = context;
    }

    /** Makes the pod's Secret, or renews what is in it; returns when to come back, if ever. */
    Optional<Instant> ensure(ObjectNode pod) {
        List<ObjectNode> requests = PodTokens.requests(pod);
        if (requests.isEmpty()) {
            return Optional.empty();
        }
        Optional<ObjectNode> present = context.onHost(BuiltInTypes.SECRETS, secretName(pod));
        if (present.isPresent() && isFor(present.get(), pod)) {
            Optional<Instant> renewal = renewal(present.get());
            if (renewal.isPresent() && renewal.get().isAfter(context.timers().instant())) {
                return renewal;
            }
        }
        return Optional.of(write(pod, requests, present));
    }

    /** Lets the Secret go with the host pod. */
    void adopt(ObjectNode hostPod, ObjectNode pod) {
        Optional<ObjectNode> secret = context.onHost(BuiltInTypes.SECRETS, secretName(pod));
        if (secret.isEmpty() || !isFor(secret.get(), pod)) {
            return;
        }
        String uid = Metadata.uid(hostPod);
        boolean owned = Metadata.ownerReferences(secret.get()).stream()
                .anyMatch(owner -> owner.uid().equals(uid));
        if (!owned) {
            ObjectNode patch = Json.object();
            ArrayNode owners = patch.putObject("metadata").putArray("ownerReferences");
            owners.add(new OwnerReference("v1", "Pod", Metadata.name(hostPod), uid, false, false).toTree());
            context.host()
                    .patch(
                            BuiltInTypes.SECRETS,
                            context.names().namespace(),
                            secretName(pod),
                            "",
                            Client.PatchType.MERGE,
                            patch);
        }
    }

    /** Removes the Secret of a pod that never came to the host, or whose host has no garbage collector yet. */
    void remove(String namespace, String podName) {
        context.onHost(BuiltInTypes.SECRETS, context.names().tokens(namespace, podName))
                .filter(context.objects()::isOurs)
                .ifPresent(secret -> context.deleteOnHost(BuiltInTypes.SECRETS, secret, -1));
    }

    private Instant write(ObjectNode pod, List<ObjectNode> requests, Optional<ObjectNode> present) {
        String account = pod.path("spec").path("serviceAccountName").asString("default");
        Instant now = context.timers().instant();
        Instant renewAt = Instant.MAX;
        ObjectNode data = Json.object();
        for (int i = 0; i < requests.size(); i++) {
            ObjectNode answer = context.tenant()
                    .createSubresource(
                            BuiltInTypes.SERVICE_ACCOUNTS, Metadata.namespace(pod), account, "token", requests.get(i));
            String token = answer.path("status").path("token").asString("");
            data.put(PodTokens.key(i), Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8)));
            Instant expiry = Instant.parse(
                    answer.path("status").path("expirationTimestamp").asString(""));
            Duration life = Duration.between(now, expiry);
            Instant due = now.plus(life.multipliedBy(RENEW_AFTER_PERCENT).dividedBy(100));
            renewAt = due.isBefore(renewAt) ? due : renewAt;
        }
        ObjectNode secret = secret(pod, data, renewAt);
        if (present.isPresent() && isFor(present.get(), pod)) {
            Metadata.setOwnerReferences(secret, Metadata.ownerReferences(present.get()));
            Metadata.setResourceVersion(secret, Metadata.resourceVersion(present.get()));
            context.host().update(BuiltInTypes.SECRETS, secret);
        } else {
            present.filter(context.objects()::isOurs)
                    .ifPresent(other -> context.deleteOnHost(BuiltInTypes.SECRETS, other, -1));
            context.host().create(BuiltInTypes.SECRETS, context.names().namespace(), secret);
        }
        return renewAt;
    }

    private ObjectNode secret(ObjectNode pod, ObjectNode data, Instant renewAt) {
        ObjectNode stand = Json.object();
        stand.put("kind", "Secret").put("apiVersion", "v1");
        Metadata.setName(stand, Metadata.name(pod));
        Metadata.setNamespace(stand, Metadata.namespace(pod));
        Metadata.setUid(stand, Metadata.uid(pod));
        ObjectNode secret = context.objects().head(stand, secretName(pod));
        Metadata.setAnnotation(secret, Marks.RENEW_AT, renewAt.toString());
        secret.set("data", data);
        return secret.put("type", "Opaque");
    }

    private String secretName(ObjectNode pod) {
        return context.names().tokens(Metadata.namespace(pod), Metadata.name(pod));
    }

    private boolean isFor(ObjectNode secret, ObjectNode pod) {
        return context.objects().isOurs(secret) && HostObjects.tenantUid(secret).equals(Metadata.uid(pod));
    }

    private static Optional<Instant> renewal(ObjectNode secret) {
        try {
            return Optional.of(Instant.parse(Metadata.annotation(secret, Marks.RENEW_AT)));
        } catch (DateTimeParseException missing) {
            return Optional.empty();
        }
    }
}
