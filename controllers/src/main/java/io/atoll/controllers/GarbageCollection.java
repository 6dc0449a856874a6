package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import io.atoll.reconcile.EventRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the garbage collector does to one object. Any thread. */
final class GarbageCollection {
    private static final String ORPHAN = "orphan";

    private final Client client;
    private final OwnershipGraph graph;
    private final OwnerLookup owners;
    private final EventRecorder events;

    GarbageCollection(Client client, OwnershipGraph graph, OwnerLookup owners, EventRecorder events) {
        this.client = client;
        this.graph = graph;
        this.owners = owners;
        this.events = events;
    }

    /** Whether the finalizers of an object that is being deleted are the collector's to act on. */
    static boolean hasDuty(List<String> finalizers) {
        return finalizers.contains(ORPHAN) || finalizers.contains(OwnerLookup.FOREGROUND);
    }

    /** Deletes an object that no owner keeps; false when that cannot be told yet. */
    boolean check(OwnershipGraph.Dependent dependent) {
        Verdict verdict = judge(dependent.namespace(), dependent.owners());
        if (verdict.unknown) {
            return false;
        }
        if (verdict.keptByAll() && !verdict.invalid) {
            return true;
        }
        Optional<ObjectNode> found = client.find(dependent.type(), dependent.namespace(), dependent.name())
                .filter(live -> Metadata.uid(live).equals(dependent.uid()));
        if (found.isEmpty()) {
            graph.remove(dependent.uid());
            return true;
        }
        ObjectNode live = found.get();
        if (Metadata.deleting(live)) {
            return true;
        }
        return decide(dependent, live, judge(dependent.namespace(), Metadata.ownerReferences(live)));
    }

    private boolean decide(OwnershipGraph.Dependent dependent, ObjectNode live, Verdict verdict) {
        if (verdict.unknown) {
            return false;
        }
        if (verdict.invalid) {
            tellInvalid(live);
            return true;
        }
        if (Metadata.ownerReferences(live).isEmpty() || verdict.keptByAll()) {
            return true;
        }
        if (!verdict.solid.isEmpty()) {
            return setOwners(dependent.type(), live, verdict.solid);
        }
        boolean hasDependents = !graph.dependents(dependent.uid()).isEmpty();
        String policy = !verdict.waiting.isEmpty() && hasDependents ? "Foreground" : policy(live);
        return delete(dependent, policy);
    }

    private static String policy(ObjectNode live) {
        List<String> finalizers = Metadata.finalizers(live);
        if (finalizers.contains(ORPHAN)) {
            return "Orphan";
        }
        return finalizers.contains(OwnerLookup.FOREGROUND) ? "Foreground" : "Background";
    }

    private boolean delete(OwnershipGraph.Dependent dependent, String policy) {
        try {
            client.delete(
                    dependent.type(),
                    dependent.namespace(),
                    dependent.name(),
                    new Client.DeleteOptions(-1, policy, dependent.uid()));
            return true;
        } catch (ApiException e) {
            return e.code() == 404 || failOrRetry(e);
        }
    }

    /**
     * Carries out the duties of an owner that is being deleted.
     *
     * @return the dependents that have to go first
     */
    List<OwnershipGraph.Dependent> finish(ResourceType type, String namespace, String name) {
        Optional<ObjectNode> found = client.find(type, namespace, name).filter(Metadata::deleting);
        if (found.isEmpty()) {
            return List.of();
        }
        ObjectNode owner = found.get();
        List<String> finalizers = Metadata.finalizers(owner);
        List<OwnershipGraph.Dependent> dependents = graph.dependents(Metadata.uid(owner));
        if (finalizers.contains(ORPHAN)) {
            dependents.forEach(dependent -> orphan(dependent, Metadata.uid(owner)));
            removeFinalizer(type, owner, ORPHAN);
            return List.of();
        }
        if (!finalizers.contains(OwnerLookup.FOREGROUND)) {
            return List.of();
        }
        List<OwnershipGraph.Dependent> blocking = dependents.stream()
                .filter(dependent -> dependent
                        .ownerWithUid(Metadata.uid(owner))
                        .filter(OwnerReference::blockOwnerDeletion)
                        .isPresent())
                .toList();
        if (blocking.isEmpty()) {
            removeFinalizer(type, owner, OwnerLookup.FOREGROUND);
        }
        return blocking;
    }

    private void orphan(OwnershipGraph.Dependent dependent, String ownerUid) {
        client.find(dependent.type(), dependent.namespace(), dependent.name())
                .filter(live -> Metadata.uid(live).equals(dependent.uid()))
                .ifPresent(live -> setOwners(
                        dependent.type(),
                        live,
                        Metadata.ownerReferences(live).stream()
                                .filter(owner -> !owner.uid().equals(ownerUid))
                                .toList()));
    }

    private boolean setOwners(ResourceType type, ObjectNode live, List<OwnerReference> kept) {
        ArrayNode references = Json.array();
        kept.forEach(owner -> references.add(owner.toTree()));
        return patch(type, live, "ownerReferences", references);
    }

    private void removeFinalizer(ResourceType type, ObjectNode live, String finalizer) {
        ArrayNode kept = Json.array();
        Metadata.finalizers(live).stream()
                .filter(other -> !other.equals(finalizer))
                .forEach(kept::add);
        patch(type, live, "finalizers", kept);
    }

    /** Only as long as nobody else has changed the object: the list replaces the present one whole. */
    private boolean patch(ResourceType type, ObjectNode live, String field, ArrayNode value) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", Metadata.resourceVersion(live))
                .put("uid", Metadata.uid(live))
                .set(field, value);
        try {
            client.patch(type, Metadata.namespace(live), Metadata.name(live), "", Client.PatchType.MERGE, patch);
            return true;
        } catch (ApiException e) {
            if (e.code() == 404) {
                return true;
            }
            throw e;
        }
    }

    private static boolean failOrRetry(ApiException e) {
        if (e.code() == 409) {
            return false;
        }
        throw e;
    }

    private void tellInvalid(ObjectNode live) {
        for (OwnerReference owner : Metadata.ownerReferences(live)) {
            events.warning(
                    live,
                    "OwnerRefInvalidNamespace",
                    "ownerRef [" + owner.apiVersion() + "/" + owner.kind() + ", namespace: "
                            + Metadata.namespace(live) + ", name: " + owner.name() + ", uid: " + owner.uid()
                            + "] does not exist in namespace \"" + Metadata.namespace(live) + "\"");
        }
    }

    private Verdict judge(String namespace, List<OwnerReference> references) {
        List<OwnerReference> solid = new ArrayList<>();
        List<OwnerReference> absent = new ArrayList<>();
        List<OwnerReference> waiting = new ArrayList<>();
        boolean unknown = false;
        boolean invalid = false;
        for (OwnerReference reference : references) {
            switch (owners.state(namespace, reference)) {
                case SOLID -> solid.add(reference);
                case ABSENT -> absent.add(reference);
                case WAITING -> waiting.add(reference);
                case UNKNOWN -> unknown = true;
                case INVALID -> invalid = true;
            }
        }
        return new Verdict(solid, absent, waiting, unknown, invalid);
    }

    private record Verdict(
            List<OwnerReference> solid,
            List<OwnerReference> absent,
            List<OwnerReference> waiting,
            boolean unknown,
            boolean invalid) {
        boolean keptByAll() {
            return absent.isEmpty() && waiting.isEmpty();
        }
    }
}
