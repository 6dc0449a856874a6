package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Publishes the cluster's CA to every namespace as ConfigMap {@code kube-root-ca.crt}. Keys name namespaces. */
final class RootCaController extends KeyedController {
    private static final String NAME = "kube-root-ca.crt";
    private static final String DESCRIPTION = "kubernetes.io/description";
    private static final String DESCRIPTION_TEXT =
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as"
                    + " the internal service IP or kubernetes.default.svc. No other usage is guaranteed across"
                    + " distributions of Kubernetes clusters.";

    private final String caBundle;

    /** @param caBundle PEM */
    RootCaController(ControllerContext context, String caBundle) {
        super(context, "root-ca-certificate-publisher");
        this.caBundle = caBundle;
    }

    @Override
    public void start() {
        watchOwn(Kinds.NAMESPACES);
        watch(Kinds.CONFIG_MAPS, (before, after) -> {
            StoredObject map = after != null ? after : before;
            // Its own creation needs no second look.
            if (map != null && before != null && map.name().equals(NAME)) {
                enqueue(new ObjectKey("", map.namespace()));
            }
        });
    }

    @Override
    public Result reconcile(ObjectKey key) {
        boolean active = find(Kinds.NAMESPACES, key)
                .map(StoredObject::metadata)
                .map(metadata -> !metadata.deleting())
                .orElse(false);
        if (!active) {
            return Result.DONE;
        }
        Optional<ObjectNode> present =
                cache.get(Kinds.CONFIG_MAPS, key.name(), NAME).map(StoredObject::tree);
        if (present.isEmpty()) {
            create(key.name());
            return Result.DONE;
        }
        ObjectNode map = present.get();
        ObjectNode data = data();
        if (map.path("data").equals(data)
                && Metadata.annotation(map, DESCRIPTION).equals(DESCRIPTION_TEXT)) {
            return Result.DONE;
        }
        map.set("data", data);
        Metadata.setAnnotation(map, DESCRIPTION, DESCRIPTION_TEXT);
        client.update(Kinds.CONFIG_MAPS, map);
        return Result.DONE;
    }

    private void create(String namespace) {
        ObjectNode map = Json.object();
        map.put("apiVersion", "v1").put("kind", "ConfigMap");
        map.putObject("metadata").put("name", NAME).put("namespace", namespace);
        Metadata.setAnnotation(map, DESCRIPTION, DESCRIPTION_TEXT);
        map.set("data", data());
        try {
            client.create(Kinds.CONFIG_MAPS, namespace, map);
        } catch (ApiException e) {
            if (e.code() != 409 && e.code() != 404 && !PodControl.namespaceTerminating(e)) {
                throw e;
            }
        }
    }

    private ObjectNode data() {
        return Json.object().put("ca.crt", caBundle);
    }
}
