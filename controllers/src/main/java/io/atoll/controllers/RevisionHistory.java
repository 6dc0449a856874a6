package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The ControllerRevisions of a StatefulSet or DaemonSet: each pod template it has had, numbered. Any thread. */
final class RevisionHistory {
    /** On pods, the revision that they were made from. */
    static final String POD_LABEL = "controller-revision-hash";

    private static final String REVISION_LABEL = "controller.kubernetes.io/hash";
    private static final int NAME_PREFIX_CHARS_MAX = 223;

    private final Client client;
    private final OwnedObjects index;

    RevisionHistory(Client client, OwnedObjects index) {
        this.client = client;
        this.index = index;
    }

    /** Oldest first. */
    List<ObjectNode> of(ObjectNode owner) {
        List<ObjectNode> revisions = new ArrayList<>();
        index.ownedBy(Metadata.uid(owner)).stream().map(StoredObject::tree).forEach(revisions::add);
        revisions.sort(Comparator.comparingLong(RevisionHistory::number));
        return revisions;
    }

    /** The revision of the owner's present template, made or moved to the end of the history if need be. */
    ObjectNode ensureNewest(ObjectNode owner, List<ObjectNode> revisions, String hashLabel) {
        ObjectNode data = data(owner);
        long last = revisions.isEmpty() ? 0 : number(revisions.getLast());
        for (int i = revisions.size() - 1; i >= 0; i--) {
            ObjectNode known = revisions.get(i);
            if (Json.same(known.path("data"), data)) {
                if (number(known) == last) {
                    return known;
                }
                known.put("revision", (int) (last + 1));
                ObjectNode moved = client.update(Kinds.CONTROLLER_REVISIONS, known);
                revisions.remove(i);
                revisions.add(moved);
                return moved;
            }
        }
        ObjectNode created = create(owner, data, last + 1, hashLabel);
        revisions.add(created);
        return created;
    }

    private ObjectNode create(ObjectNode owner, ObjectNode data, long number, String hashLabel) {
        for (int collisions = 0; ; collisions++) {
            String hash = TemplateHash.of(data, collisions);
            String prefix = Metadata.name(owner);
            ObjectNode revision = Json.object();
            revision.put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
            revision.putObject("metadata")
                    .put("name", prefix.substring(0, Math.min(prefix.length(), NAME_PREFIX_CHARS_MAX)) + "-" + hash)
                    .put("namespace", Metadata.namespace(owner));
            Metadata.setLabels(revision, Metadata.labels(owner.path("spec").path("template")));
            Metadata.setLabel(revision, hashLabel, hash);
            Metadata.setOwnerReferences(revision, List.of(PodControl.controllerReference(owner)));
            revision.set("data", data);
            revision.put("revision", (int) number);
            try {
                return client.create(Kinds.CONTROLLER_REVISIONS, Metadata.namespace(owner), revision);
            } catch (ApiException e) {
                if (e.reason() != io.atoll.model.StatusReason.AlreadyExists) {
                    throw e;
                }
                ObjectNode taken =
                        client.get(Kinds.CONTROLLER_REVISIONS, Metadata.namespace(owner), Metadata.name(revision));
                if (Json.same(taken.path("data"), data)) {
                    return taken;
                }
            }
        }
    }

    /** Deletes the oldest that nothing uses, beyond those kept for undoing. */
    void cleanUp(ObjectNode owner, List<ObjectNode> revisions, Set<String> used) {
        int limit = owner.path("spec").path("revisionHistoryLimit").asInt(10);
        List<ObjectNode> unused = revisions.stream()
                .filter(revision -> !used.contains(Metadata.name(revision)))
                .toList();
        for (ObjectNode revision : unused.subList(0, Math.max(0, unused.size() - limit))) {
            try {
                client.delete(
                        Kinds.CONTROLLER_REVISIONS,
                        Metadata.namespace(revision),
                        Metadata.name(revision),
                        Client.DeleteOptions.DEFAULT);
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    static long number(ObjectNode revision) {
        return revision.path("revision").asLong(0);
    }

    /** As a patch that puts the template back, which is what {@code kubectl rollout undo} sends. */
    private static ObjectNode data(ObjectNode owner) {
        ObjectNode template = ((ObjectNode) owner.path("spec").path("template")).deepCopy();
        template.put("$patch", "replace");
        ObjectNode data = Json.object();
        data.putObject("spec").set("template", template);
        return data;
    }

    /** The template that a revision stands for. */
    static JsonNode template(ObjectNode revision) {
        JsonNode template = revision.path("data").path("spec").path("template").deepCopy();
        if (template instanceof ObjectNode object) {
            object.remove("$patch");
        }
        return template;
    }

    static String hashLabel() {
        return REVISION_LABEL;
    }
}
