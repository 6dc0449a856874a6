package io.atoll.apiserver.admission;

import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.Comparator;
import tools.jackson.databind.node.ObjectNode;

/** Gives a claim that names no storage class the cluster's default one: the newest of those marked so. */
public final class DefaultStorageClass implements Admission {
    private static final GroupResource CLASSES = new GroupResource("storage.k8s.io", "storageclasses");
    private static final String MARK = "storageclass.kubernetes.io/is-default-class";

    private final Registry registry;

    public DefaultStorageClass(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void admit(AdmissionRequest request) {
        ObjectNode claim = request.object();
        if (claim == null
                || request.operation() != Operation.CREATE
                || !request.is("", "persistentvolumeclaims")
                || claim.path("spec").has("storageClassName")) {
            return;
        }
        registry.list(CLASSES, "").stream()
                .map(CachedObject::tree)
                .filter(one -> Metadata.annotation(one, MARK).equals("true"))
                .max(Comparator.comparing(Metadata::creationTimestamp).thenComparing(Metadata::name))
                .ifPresent(chosen -> Json.child(claim, "spec").put("storageClassName", Metadata.name(chosen)));
    }
}
