package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.Discovery;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deletes all that a namespace holds, whatever its type, and reports what is left. Any thread. */
final class NamespaceContents {
    private final Client client;
    private final Discovery discovery;

    NamespaceContents(Client client, Discovery discovery) {
        this.client = client;
        this.discovery = discovery;
    }

    /**
     * What came of one attempt.
     *
     * @param empty nothing is left and nothing failed
     */
    record Outcome(boolean empty, List<ObjectNode> conditions) {}

    Outcome delete(String namespace) {
        Discovery.Served served = discovery.served();
        Map<String, Integer> remaining = new TreeMap<>();
        Map<String, Integer> finalizers = new TreeMap<>();
        List<String> failures = new ArrayList<>();
        for (ResourceType type : served.preferred()) {
            if (type.namespaced()
                    && type.verbs().contains("list")
                    && type.verbs().contains("delete")) {
                try {
                    deleteAll(type, namespace, remaining, finalizers);
                } catch (ApiException e) {
                    if (e.code() != 404 && e.code() != 405) {
                        failures.add(e.getMessage());
                    }
                }
            }
        }
        return outcome(served.failedGroupVersions(), remaining, finalizers, failures);
    }

    private void deleteAll(
            ResourceType type, String namespace, Map<String, Integer> remaining, Map<String, Integer> finalizers) {
        JsonNode items = list(type, namespace);
        if (items.isEmpty()) {
            return;
        }
        if (type.verbs().contains("deletecollection")) {
            client.deleteAll(type, namespace, Client.ListOptions.ALL, Client.DeleteOptions.background());
        } else {
            for (JsonNode item : items) {
                deleteOne(type, namespace, Metadata.name(item));
            }
        }
        JsonNode left = list(type, namespace);
        if (!left.isEmpty()) {
            remaining.put(type.groupResource().toString(), left.size());
        }
        for (JsonNode item : left) {
            for (String finalizer : Metadata.finalizers(item)) {
                finalizers.merge(finalizer, 1, Integer::sum);
            }
        }
    }

    private void deleteOne(ResourceType type, String namespace, String name) {
        try {
            client.delete(type, namespace, name, Client.DeleteOptions.background());
        } catch (ApiException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private JsonNode list(ResourceType type, String namespace) {
        return client.list(type, namespace, Client.ListOptions.ALL).path("items");
    }

    private static Outcome outcome(
            List<String> undiscovered,
            Map<String, Integer> remaining,
            Map<String, Integer> finalizers,
            List<String> failures) {
        List<ObjectNode> conditions = new ArrayList<>();
        conditions.add(
                undiscovered.isEmpty()
                        ? Conditions.of(
                                "NamespaceDeletionDiscoveryFailure",
                                "False",
                                "ResourcesDiscovered",
                                "All resources successfully discovered")
                        : Conditions.of(
                                "NamespaceDeletionDiscoveryFailure",
                                "True",
                                "DiscoveryFailed",
                                "Discovery failed for some groups, " + undiscovered.size() + " failing: "
                                        + String.join(", ", undiscovered)));
        conditions.add(Conditions.of(
                "NamespaceDeletionGroupVersionParsingFailure",
                "False",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed"));
        conditions.add(
                failures.isEmpty()
                        ? Conditions.of(
                                "NamespaceDeletionContentFailure",
                                "False",
                                "ContentDeleted",
                                "All content successfully deleted, may be waiting on finalization")
                        : Conditions.of(
                                "NamespaceDeletionContentFailure",
                                "True",
                                "ContentDeletionFailed",
                                "Failed to delete all resource types, " + failures.size() + " remaining: "
                                        + String.join(", ", failures)));
        conditions.add(
                remaining.isEmpty()
                        ? Conditions.of(
                                "NamespaceContentRemaining",
                                "False",
                                "ContentRemoved",
                                "All content successfully removed")
                        : Conditions.of(
                                "NamespaceContentRemaining",
                                "True",
                                "SomeResourcesRemain",
                                "Some resources are remaining: " + text(remaining, ". has ")));
        conditions.add(
                finalizers.isEmpty()
                        ? Conditions.of(
                                "NamespaceFinalizersRemaining",
                                "False",
                                "ContentHasNoFinalizers",
                                "All content-preserving finalizers finished")
                        : Conditions.of(
                                "NamespaceFinalizersRemaining",
                                "True",
                                "SomeFinalizersRemain",
                                "Some content in the namespace has finalizers remaining: " + text(finalizers, " in ")));
        return new Outcome(undiscovered.isEmpty() && remaining.isEmpty() && failures.isEmpty(), conditions);
    }

    private static String text(Map<String, Integer> counts, String verb) {
        List<String> parts = new ArrayList<>();
        counts.forEach((name, count) -> parts.add(name + verb + count + " resource instances"));
        return String.join(", ", parts);
    }
}
