package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills Secrets of type {@code kubernetes.io/service-account-token}, and deletes those whose ServiceAccount is gone.
 * Keys name Secrets.
 */
final class TokenController extends KeyedController {
    private static final String TYPE = "kubernetes.io/service-account-token";
    private static final byte[] TYPE_BYTES = ('"' + TYPE + '"').getBytes(StandardCharsets.UTF_8);
    private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
    private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
    private static final Duration VALIDITY = Duration.ofDays(3650);

    private final String caBundle;

    TokenController(ControllerContext context, String caBundle) {
        super(context, "tokens-controller");
        this.caBundle = caBundle;
    }

    @Override
    public void start() {
        watch(Kinds.SECRETS, (before, after) -> {
            if (after != null && mayHoldToken(after)) {
                enqueue(after);
            }
        });
        watch(Kinds.SERVICE_ACCOUNTS, (before, after) -> {
            if (before == null || after == null) {
                StoredObject account = after != null ? after : before;
                if (account != null) {
                    enqueueSecretsOf(account.namespace());
                }
            }
        });
    }

    private void enqueueSecretsOf(String namespace) {
        for (StoredObject secret : cache.list(Kinds.SECRETS, namespace)) {
            if (mayHoldToken(secret)) {
                enqueue(secret);
            }
        }
    }

    private static boolean mayHoldToken(StoredObject secret) {
        return Bytes.contains(secret.json(), TYPE_BYTES);
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<StoredObject> stored = find(Kinds.SECRETS, key);
        if (stored.isEmpty() || stored.get().metadata().deleting()) {
            return Result.DONE;
        }
        ObjectNode secret = stored.get().tree();
        String accountName = Metadata.annotation(secret, ACCOUNT_NAME);
        if (!secret.path("type").asString("").equals(TYPE) || accountName.isEmpty()) {
            return Result.DONE;
        }
        Optional<ObjectNode> account = client.find(Kinds.SERVICE_ACCOUNTS, key.namespace(), accountName);
        String uid = Metadata.annotation(secret, ACCOUNT_UID);
        if (account.isEmpty() || (!uid.isEmpty() && !uid.equals(Metadata.uid(account.get())))) {
            delete(secret);
            return Result.DONE;
        }
        fill(secret, account.get());
        return Result.DONE;
    }

    private void fill(ObjectNode secret, ObjectNode account) {
        ObjectNode data = secret.get("data") instanceof ObjectNode present ? present : secret.putObject("data");
        String namespace = Metadata.namespace(secret);
        boolean changed = putIfMissing(data, "namespace", namespace);
        changed |= !caBundle.isEmpty() && put(data, "ca.crt", caBundle);
        if (!data.has("token")) {
            put(data, "token", issue(secret, account));
            changed = true;
        }
        if (Metadata.annotation(secret, ACCOUNT_UID).isEmpty()) {
            Metadata.setAnnotation(secret, ACCOUNT_UID, Metadata.uid(account));
            changed = true;
        }
        if (changed) {
            client.update(Kinds.SECRETS, secret);
        }
    }

    /** A token that ends with its Secret, which is what binding it to the Secret means. */
    private String issue(ObjectNode secret, ObjectNode account) {
        ObjectNode request = Json.object();
        request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        ObjectNode spec = request.putObject("spec");
        spec.putArray("audiences");
        spec.put("expirationSeconds", VALIDITY.toSeconds());
        spec.putObject("boundObjectRef")
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("name", Metadata.name(secret))
                .put("uid", Metadata.uid(secret));
        ObjectNode answer = client.createSubresource(
                Kinds.SERVICE_ACCOUNTS, Metadata.namespace(secret), Metadata.name(account), "token", request);
        return answer.path("status").path("token").asString("");
    }

    private void delete(ObjectNode secret) {
        try {
            client.delete(
                    Kinds.SECRETS,
                    Metadata.namespace(secret),
                    Metadata.name(secret),
                    new Client.DeleteOptions(-1, "", Metadata.uid(secret)));
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }

    private static boolean putIfMissing(ObjectNode data, String field, String value) {
        return !data.has(field) && put(data, field, value);
    }

    /** True when that changed something. */
    private static boolean put(ObjectNode data, String field, String value) {
        String encoded = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        boolean changes = !data.path(field).asString("").equals(encoded);
        data.put(field, encoded);
        return changes;
    }
}
