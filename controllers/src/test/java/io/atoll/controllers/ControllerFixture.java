package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.Yaml;
import io.atoll.testkit.TestCluster;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** A cluster with all controllers and a pretended kubelet. */
final class ControllerFixture implements AutoCloseable {
    static final ResourceType EVENTS = ResourceType.of("", "v1", "events", "Event", true);
    static final String CA = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n";

    final TestCluster cluster;
    final Client client;
    final BuiltInControllers controllers;
    final FakeKubelet kubelet;
    volatile Function<ObjectNode, String> phases = _ -> "Running";

    ControllerFixture() {
        this(BuiltInControllers.Options.all(CA));
    }

    ControllerFixture(BuiltInControllers.Options options) {
        this(options, (_, cache) -> cache);
    }

    /** @param view what the controllers see instead of the cache itself */
    ControllerFixture(BuiltInControllers.Options options, BiFunction<TestCluster, ObjectCache, ObjectCache> view) {
        cluster = TestCluster.start();
        client = cluster.client();
        // Pods are refused until there is one, and not every test runs the controller that makes it.
        client.create(
                Kinds.SERVICE_ACCOUNTS,
                "default",
                Yaml.parse("{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}"));
        controllers = BuiltInControllers.start(client, view.apply(cluster, cluster.cache()), options);
        kubelet = new FakeKubelet(client, cluster.cache(), pod -> phases.apply(pod));
    }

    ObjectNode apply(ResourceType type, String yaml) {
        ObjectNode object = Yaml.parse(yaml);
        object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        String namespace = type.namespaced() ? "default" : "";
        return client.create(type, namespace, object);
    }

    ObjectNode mergePatch(ResourceType type, String name, String json) {
        return client.patch(
                type, type.namespaced() ? "default" : "", name, "", Client.PatchType.MERGE, Json.parse(json));
    }

    List<String> eventReasons(ResourceType type, String name) {
        return cluster.list(EVENTS, "default").stream()
                .filter(event ->
                        event.path("involvedObject").path("kind").asString("").equals(type.kind()))
                .filter(event ->
                        event.path("involvedObject").path("name").asString("").equals(name))
                .map(event -> event.path("reason").asString(""))
                .toList();
    }

    void awaitEvent(ResourceType type, String name, String reason) {
        cluster.awaitAll(EVENTS, "default", _ -> eventReasons(type, name).contains(reason));
    }

    static boolean conditionIs(ObjectNode object, String type, String status, String reason) {
        return Conditions.find(object.path("status"), type)
                .filter(condition -> condition.path("status").asString("").equals(status))
                .filter(condition -> condition.path("reason").asString("").equals(reason))
                .isPresent();
    }

    static int count(ObjectNode object, String field) {
        return object.path("status").path(field).asInt(0);
    }

    static boolean ownedBy(ObjectNode object, ObjectNode owner) {
        return Metadata.controller(object)
                .filter(reference -> reference.uid().equals(Metadata.uid(owner)))
                .isPresent();
    }

    @Override
    public void close() {
        kubelet.close();
        controllers.close();
        cluster.close();
    }
}
