package io.atoll.scheduler.crd;

import io.atoll.client.Client.PatchType;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import io.atoll.model.Yaml;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.scheduler.core.queue.QueueSpec;
import io.atoll.scheduler.core.queue.ResourceVector;
import io.atoll.testkit.TestCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The definitions, on a real API server. */
class SchedulingObjectsTest {
    private static final Map<String, ResourceType> TYPES = Map.of(
            "queues", SchedulingTypes.QUEUES,
            "podgroups", SchedulingTypes.POD_GROUPS,
            "bindrequests", SchedulingTypes.BIND_REQUESTS,
            "topologies", SchedulingTypes.TOPOLOGIES,
            "schedulingshards", ResourceType.of("kai.scheduler", "v1", "schedulingshards", "SchedulingShard", false),
            "configs", ResourceType.of("kai.scheduler", "v1", "configs", "Config", false));

    private final TestCluster cluster = TestCluster.start();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void definitionsAreEstablishedAndClassesAndQueuesAreThere() {
        SchedulingObjects.install(cluster.client());

        for (ObjectNode definition : cluster.list(BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS, "")) {
            assertThat(condition(definition, "Established"))
                    .as(Metadata.name(definition))
                    .isEqualTo("True");
        }
        Map<String, Integer> classes = new HashMap<>();
        cluster.list(BuiltInTypes.PRIORITY_CLASSES, "")
                .forEach(object ->
                        classes.put(Metadata.name(object), object.path("value").asInt()));
        assertThat(classes)
                .containsEntry("train", 50)
                .containsEntry("build-preemptible", 75)
                .containsEntry("build", 100)
                .containsEntry("inference", 125);
        QueueSpec queue =
                QueueReader.read(cluster.client().get(SchedulingTypes.QUEUES, "", SchedulingKeys.DEFAULT_QUEUE));
        assertThat(queue.parent()).isEqualTo("default-parent-queue");
        assertThat(queue.quota().isZero()).isTrue();
        assertThat(queue.limit()).isEqualTo(ResourceVector.all(ResourceVector.UNLIMITED));
        assertThat(queue.overQuotaWeight()).isEqualTo(ResourceVector.all(QueueSpec.WEIGHT_ONE));
    }

    @Test
    void installingAgainChangesNothing() {
        SchedulingObjects.install(cluster.client());
        List<String> before = versions();

        SchedulingObjects.install(cluster.client());

        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void anOldDefinitionIsBroughtUpToDateInPlaceAndChangedQueuesAreKept() {
        SchedulingObjects.install(cluster.client());
        ResourceType definitions = BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS;
        String name = "queues.scheduling.run.ai";
        ObjectNode current = cluster.client().get(definitions, "", name);
        ObjectNode old = SchedulingObjects.definitions().getFirst();
        ((ObjectNode) old.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"))
                .remove("displayName");
        cluster.client().apply(definitions, "", name, "atoll", old);
        cluster.client()
                .patch(
                        SchedulingTypes.QUEUES,
                        "",
                        SchedulingKeys.DEFAULT_QUEUE,
                        "",
                        PatchType.MERGE,
                        Yaml.parse("{spec: {resources: {gpu: {quota: 5}}}}"));

        SchedulingObjects.install(cluster.client());

        ObjectNode after = cluster.client().get(definitions, "", name);
        assertThat(Metadata.uid(after)).isEqualTo(Metadata.uid(current));
        assertThat(Json.same(after.path("spec"), current.path("spec"))).isTrue();
        assertThat(QueueReader.read(cluster.client().get(SchedulingTypes.QUEUES, "", SchedulingKeys.DEFAULT_QUEUE))
                        .quota()
                        .gpu)
                .isEqualTo(5_000_000);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a queue of KAI's      | queues       | {metadata: {name: a}, spec: {displayName: A, parentQueue: p, priority: 100, preemptMinRuntime: 5m, reclaimMinRuntime: 1h, resources: {gpu: {quota: 1.5, limit: -1, overQuotaWeight: 1}, cpu: {quota: -1, limit: -1, overQuotaWeight: 1}, memory: {quota: 0, limit: 10, overQuotaWeight: 0.5}}}}",
                "a pod group of KAI's  | podgroups    | {metadata: {name: a}, spec: {minMember: 2, queue: q, priorityClassName: train, preemptibility: '', parallelism: 1, completions: 2, backoffLimit: 3, markUnschedulable: true, schedulingBackoff: -1, topologyConstraint: {topology: t, requiredTopologyLevel: a, preferredTopologyLevel: b}, subGroups: [{name: x, minMember: 1, parent: y, topologyConstraint: {topology: t}}, {name: y, minMember: 1}]}}",
                "a bind request        | bindrequests | {metadata: {name: a}, spec: {podName: p, selectedNode: n, receivedResourceType: Fraction, receivedGPU: {count: 1, portion: '0.50'}, selectedGPUGroups: [g], resourceClaimAllocations: [{name: c, allocation: {devices: {results: [{request: r, driver: d, pool: p, device: x}]}}}], backoffLimit: 3}}",
                "a topology            | topologies   | {metadata: {name: a}, spec: {levels: [{nodeLabel: cloud.provider.com/topology-block}, {nodeLabel: kubernetes.io/hostname}]}}",
                "a shard               | schedulingshards | {metadata: {name: default}, spec: {args: {v: '4'}, placementStrategy: {gpu: spread, cpu: binpack}, partitionLabelValue: x, queueDepthPerAction: {reclaim: 10}, minRuntime: {preemptMinRuntime: 1m, reclaimMinRuntime: 2m}, kValue: 0.5, usageDBConfig: {clientType: prometheus, usageParams: {windowSize: 168h, windowType: tumbling, extraParams: {a: b}}}, plugins: {gpupack: {enabled: false, priority: 3, arguments: {a: b}}}, actions: {consolidation: {enabled: false}}}}",
                "a config              | configs      | {metadata: {name: kai-config}, spec: {namespace: kai-scheduler, global: {openshift: false, queueLabelKey: kai.scheduler/queue}, admission: {gpuSharing: true}, prometheus: {enabled: false}}}",
            })
    void objectsOfKaiAreStoredAsTheyAre(String name, String resource, String yaml) {
        SchedulingObjects.install(cluster.client());
        ResourceType type = java.util.Objects.requireNonNull(TYPES.get(resource));
        ObjectNode object = object(type, yaml);

        ObjectNode stored = cluster.client().create(type, type.namespaced() ? "default" : "", object);

        assertThat(Json.same(stored.path("spec"), object.path("spec"))).as(name).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "minMember below 1    | podgroups  | {metadata: {name: a}, spec: {minMember: 0}} | spec.minMember",
                "preemptibility       | podgroups  | {metadata: {name: a}, spec: {preemptibility: sometimes}} | spec.preemptibility",
                "sub-group, no name   | podgroups  | {metadata: {name: a}, spec: {subGroups: [{name: ''}]}} | spec.subGroups[0].name",
                "sub-group of 0       | podgroups  | {metadata: {name: a}, spec: {subGroups: [{name: x, minMember: 0}]}} | spec.subGroups[0].minMember",
                "quota is text        | queues     | {metadata: {name: a}, spec: {resources: {gpu: {quota: many}}}} | spec.resources.gpu.quota",
                "no levels            | topologies | {metadata: {name: a}, spec: {levels: []}} | spec.levels",
                "a level is no label  | topologies | {metadata: {name: a}, spec: {levels: [{nodeLabel: 'a b'}]}} | spec.levels[0].nodeLabel",
                "another config       | configs    | {metadata: {name: a}, spec: {}} | metadata.name",
            })
    void whatTheSchemaRefuses(String name, String resource, String yaml, String field) {
        SchedulingObjects.install(cluster.client());
        ResourceType type = java.util.Objects.requireNonNull(TYPES.get(resource));

        assertThatThrownBy(() -> cluster.client().create(type, type.namespaced() ? "default" : "", object(type, yaml)))
                .as(name)
                .isInstanceOfSatisfying(ApiException.class, refusal -> {
                    assertThat(refusal.reason()).isEqualTo(StatusReason.Invalid);
                    assertThat(refusal.getMessage()).contains(field);
                });
    }

    @Test
    void statusIsASubresource() {
        SchedulingObjects.install(cluster.client());
        ObjectNode group = cluster.client()
                .create(
                        SchedulingTypes.POD_GROUPS,
                        "default",
                        object(SchedulingTypes.POD_GROUPS, "{metadata: {name: g}, status: {phase: Running}}"));
        assertThat(group.has("status")).isFalse();
        group.set("status", Yaml.parse("""
                phase: Pending
                resourcesStatus: {allocated: {nvidia.com/gpu: 1, cpu: 500m}}
                schedulingConditions:
                - type: UnschedulableOnNodePool
                  nodePool: default
                  status: "True"
                  transitionID: "1"
                  reasons:
                  - reason: OverLimit
                    message: no
                    details: {queueDetails: {name: q, queueResourceLimits: {nvidia.com/gpu: 1}}}
                """));

        ObjectNode updated = cluster.client().updateStatus(SchedulingTypes.POD_GROUPS, group);

        assertThat(Json.same(updated.path("status"), group.path("status"))).isTrue();
    }

    private static ObjectNode object(ResourceType type, String yaml) {
        ObjectNode object = Yaml.parse(yaml);
        object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        return object;
    }

    private List<String> versions() {
        List<String> versions = new ArrayList<>();
        for (ResourceType type : List.of(
                BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS, BuiltInTypes.PRIORITY_CLASSES, SchedulingTypes.QUEUES)) {
            cluster.list(type, "")
                    .forEach(object -> versions.add(Metadata.name(object) + "@" + Metadata.resourceVersion(object)));
        }
        return versions;
    }

    private static String condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals(type)) {
                return condition.path("status").asString("");
            }
        }
        return "";
    }
}
