package io.atoll.apiserver.table;

import io.atoll.apiserver.registry.PrinterColumn;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.apiserver.registry.Views.IncludeObject;
import io.atoll.apiserver.registry.Views.TableOptions;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.Yaml;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Cells of named objects, as {@code kubectl get -o wide} shows them. */
final class TablePrinterTest {
    private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
    private static final TablePrinter PRINTER = new TablePrinter(InstantSource.fixed(NOW));

    private record Case(String name, String groupVersion, String kind, String yaml, String cells) {}

    private static final List<Case> CASES = List.of(
            new Case("a running pod", "v1", "Pod", """
                    spec: {nodeName: n1, containers: [{name: a}]}
                    status:
                      phase: Running
                      podIPs: [{ip: 10.0.0.7}]
                      conditions: [{type: Ready, status: "True"}]
                      containerStatuses: [{name: a, ready: true, restartCount: 0, state: {running: {}}}]
                    """, "x | 1/1 | Running | 0 | 2m | 10.0.0.7 | n1 | <none> | <none>"),
            new Case(
                    "a pod that nobody has scheduled",
                    "v1",
                    "Pod",
                    "{spec: {containers: [{name: a}, {name: b}]}, status: {phase: Pending}}",
                    "x | 0/2 | Pending | 0 | 2m | <none> | <none> | <none> | <none>"),
            new Case(
                    "a gated pod",
                    "v1",
                    "Pod",
                    """
                    spec: {containers: [{name: a}]}
                    status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: SchedulingGated}]}
                    """,
                    "x | 0/1 | SchedulingGated | 0 | 2m | <none> | <none> | <none> | <none>"),
            new Case(
                    "a crash loop",
                    "v1",
                    "Pod",
                    """
                    spec: {nodeName: n1, containers: [{name: a}]}
                    status:
                      phase: Running
                      containerStatuses:
                      - {name: a, ready: false, restartCount: 3, state: {waiting: {reason: CrashLoopBackOff}},
                         lastState: {terminated: {exitCode: 1, finishedAt: "2026-12-01T11:59:30Z"}}}
                    """,
                    "x | 0/1 | CrashLoopBackOff | 3 (30s ago) | 2m | <none> | n1 | <none> | <none>"),
            new Case(
                    "the second of two init containers runs",
                    "v1",
                    "Pod",
                    """
                    spec: {containers: [{name: a}], initContainers: [{name: i}, {name: j}]}
                    status:
                      phase: Pending
                      initContainerStatuses:
                      - {name: i, state: {terminated: {exitCode: 0}}}
                      - {name: j, state: {running: {}}}
                      containerStatuses: [{name: a, state: {waiting: {reason: PodInitializing}}}]
                    """,
                    "x | 0/1 | Init:1/2 | 0 | 2m | <none> | <none> | <none> | <none>"),
            new Case(
                    "an init container failed",
                    "v1",
                    "Pod",
                    """
                    spec: {containers: [{name: a}], initContainers: [{name: i}]}
                    status:
                      phase: Pending
                      initContainerStatuses: [{name: i, restartCount: 2, state: {terminated: {exitCode: 7}}}]
                    """,
                    "x | 0/1 | Init:ExitCode:7 | 2 | 2m | <none> | <none> | <none> | <none>"),
            new Case(
                    "a sidecar counts as a container",
                    "v1",
                    "Pod",
                    """
                    spec: {containers: [{name: a}], initContainers: [{name: s, restartPolicy: Always}]}
                    status:
                      phase: Running
                      initContainerStatuses: [{name: s, started: true, ready: true, restartCount: 1, state: {running: {}}}]
                      containerStatuses: [{name: a, ready: true, restartCount: 0, state: {running: {}}}]
                    """,
                    "x | 2/2 | Running | 1 | 2m | <none> | <none> | <none> | <none>"),
            new Case(
                    "a finished pod",
                    "v1",
                    "Pod",
                    """
                    spec: {containers: [{name: a}]}
                    status:
                      phase: Succeeded
                      containerStatuses: [{name: a, state: {terminated: {exitCode: 0, reason: Completed}}}]
                    """,
                    "x | 0/1 | Completed | 0 | 2m | <none> | <none> | <none> | <none>"),
            new Case(
                    "a pod being deleted",
                    "v1",
                    "Pod",
                    """
                    metadata: {deletionTimestamp: "2026-12-01T12:00:00Z"}
                    spec: {containers: [{name: a}]}
                    status:
                      phase: Running
                      containerStatuses: [{name: a, ready: true, state: {running: {}}}]
                    """,
                    "x | 1/1 | Terminating | 0 | 2m | <none> | <none> | <none> | <none>"),
            new Case("a deployment", "apps/v1", "Deployment", """
                    spec:
                      replicas: 3
                      selector: {matchLabels: {app: web}}
                      template: {spec: {containers: [{name: a, image: one}, {name: b, image: two}]}}
                    status: {readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1}
                    """, "x | 2/3 | 3 | 1 | 2m | a,b | one,two | app=web"),
            new Case(
                    "a job that took a while",
                    "batch/v1",
                    "Job",
                    """
                    spec: {completions: 1, selector: {matchExpressions: [{key: k, operator: In, values: [b, a]}]}}
                    status:
                      succeeded: 1
                      startTime: "2026-12-01T11:00:00Z"
                      completionTime: "2026-12-01T11:03:20Z"
                      conditions: [{type: Complete, status: "True"}]
                    """,
                    "x | Complete | 1/1 | 3m20s | 2m |  |  | k in (a,b)"),
            new Case(
                    "a job that runs",
                    "batch/v1",
                    "Job",
                    "{spec: {parallelism: 4}, status: {startTime: \"2026-12-01T11:59:00Z\"}}",
                    "x | Running | 0/1 of 4 | 60s | 2m |  |  | <none>"),
            new Case(
                    "a node with GPUs",
                    "v1",
                    "Node",
                    """
                    metadata: {labels: {node-role.kubernetes.io/gpu: "", node-role.kubernetes.io/control-plane: ""}}
                    spec: {unschedulable: true}
                    status:
                      conditions: [{type: Ready, status: "True"}]
                      addresses: [{type: InternalIP, address: 10.1.0.1}]
                      nodeInfo: {kubeletVersion: v1.36.0, osImage: Debian}
                    """,
                    "x | Ready,SchedulingDisabled | control-plane,gpu | 2m | v1.36.0 | 10.1.0.1 | <none> | Debian"
                            + " | <unknown> | <unknown>"),
            new Case(
                    "a node port service",
                    "v1",
                    "Service",
                    """
                    spec:
                      type: NodePort
                      clusterIP: 10.96.0.9
                      clusterIPs: [10.96.0.9]
                      ports: [{port: 80, nodePort: 30080, protocol: TCP}, {port: 53, protocol: UDP}]
                      selector: {b: "2", a: "1"}
                    """,
                    "x | NodePort | 10.96.0.9 | <none> | 80:30080/TCP,53/UDP | 2m | a=1,b=2"),
            new Case(
                    "a core event",
                    "v1",
                    "Event",
                    """
                    type: Warning
                    reason: FailedScheduling
                    message: "0/2 nodes are available. "
                    involvedObject: {kind: Pod, name: p}
                    source: {component: scheduler}
                    firstTimestamp: "2026-12-01T11:00:00Z"
                    lastTimestamp: "2026-12-01T11:59:55Z"
                    count: 7
                    """,
                    "5s | Warning | FailedScheduling | pod/p |  | scheduler | 0/2 nodes are available. | 60m | 7 | x"),
            new Case(
                    "an event through its own group",
                    "events.k8s.io/v1",
                    "Event",
                    """
                    type: Normal
                    reason: Pulled
                    note: done
                    regarding: {kind: Pod, name: p}
                    reportingController: kubelet
                    reportingInstance: n1
                    eventTime: "2026-12-01T11:59:00.000000Z"
                    """,
                    "60s | Normal | Pulled | pod/p |  | kubelet, n1 | done | 60s | 1 | x"),
            new Case(
                    "a claim",
                    "v1",
                    "PersistentVolumeClaim",
                    """
                    spec: {volumeName: pv1, storageClassName: fast, volumeMode: Filesystem}
                    status: {phase: Bound, accessModes: [ReadWriteMany, ReadWriteOnce], capacity: {storage: 5Gi}}
                    """,
                    "x | Bound | pv1 | 5Gi | RWO,RWX | fast | <unset> | 2m | Filesystem"),
            new Case(
                    "a default storage class",
                    "storage.k8s.io/v1",
                    "StorageClass",
                    """
                    metadata: {annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
                    provisioner: p
                    """,
                    "x (default) | p | Delete | Immediate | false | 2m"),
            new Case(
                    "a role binding",
                    "rbac.authorization.k8s.io/v1",
                    "RoleBinding",
                    """
                    roleRef: {kind: ClusterRole, name: edit}
                    subjects:
                    - {kind: User, name: ann}
                    - {kind: ServiceAccount, name: sa, namespace: ns}
                    - {kind: User, name: bob}
                    """,
                    "x | ClusterRole/edit | 2m | ann, bob |  | ns/sa"),
            new Case(
                    "a cluster role has no columns of its own",
                    "rbac.authorization.k8s.io/v1",
                    "ClusterRole",
                    "{}",
                    "x | 2026-12-01T11:58:00Z"),
            new Case(
                    "a quota",
                    "v1",
                    "ResourceQuota",
                    "{status: {hard: {pods: 9, limits.cpu: 4, requests.cpu: 2}, used: {pods: 1, requests.cpu: 1}}}",
                    "x | 2m | pods: 1/9, requests.cpu: 1/2 | limits.cpu: 0/4"));

    @TestFactory
    Stream<DynamicTest> cells() {
        return CASES.stream().map(row -> DynamicTest.dynamicTest(row.name(), () -> check(row)));
    }

    private static void check(Case row) {
        JsonNode table = table(served(row.groupVersion(), row.kind(), List.of()), row.yaml(), IncludeObject.NONE);
        assertThat(joined(table.path("rows").path(0).path("cells"))).isEqualTo(row.cells());
        assertThat(table.path("columnDefinitions").size())
                .isEqualTo(table.path("rows").path(0).path("cells").size());
    }

    @Test
    void customColumnsFollowTheirPaths() {
        List<PrinterColumn> columns = List.of(
                new PrinterColumn("Ready", "string", "", "", 0, ".status.conditions[?(@.type==\"Ready\")].status"),
                new PrinterColumn("Replicas", "integer", "", "", 0, ".spec.replicas"),
                new PrinterColumn("Since", "date", "", "", 1, ".status.since"),
                new PrinterColumn("Owner", "string", "", "", 0, ".metadata.labels.example\\.com/owner"),
                new PrinterColumn("Gone", "string", "", "", 0, ".spec.gone"),
                new PrinterColumn("Map", "string", "", "", 0, ".spec.map"));
        JsonNode table = table(served("example.com/v1", "Thing", columns), """
                metadata: {labels: {example.com/owner: ann}}
                spec: {replicas: 3, map: {b: 1, a: 2}}
                status: {since: "2026-12-01T11:00:00Z", conditions: [{type: A, status: x}, {type: Ready, status: "True"}]}
                """, IncludeObject.METADATA);
        JsonNode row = table.path("rows").path(0);
        assertThat(joined(row.path("cells"))).isEqualTo("x | True | 3 | 60m | ann | null | {\"a\":2,\"b\":1}");
        assertThat(row.path("object").path("kind").asString()).isEqualTo("PartialObjectMetadata");
        assertThat(row.path("object").path("metadata").path("name").asString()).isEqualTo("x");
        assertThat(row.path("object").has("spec")).isFalse();
    }

    @Test
    void partialObjectsAreCutOutOfTheBytes() {
        byte[] object = """
                {"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7","name":"a\\"}{","labels":{"metadata":"x"}},\
                "spec":{"metadata":{}}}""".getBytes(StandardCharsets.UTF_8);
        assertThat(Json.encodeToString(PRINTER.partial(object))).isEqualTo("""
                {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",\
                "metadata":{"resourceVersion":"7","name":"a\\"}{","labels":{"metadata":"x"}}}""");
    }

    private static ServedResource served(String apiVersion, String kind, List<PrinterColumn> columns) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        ResourceType type = ResourceType.of(group, apiVersion.substring(slash + 1), "things", kind, true);
        return new ServedResource(
                type,
                !columns.isEmpty(),
                columns,
                () -> io.atoll.model.schema.Schema.builder(io.atoll.model.schema.Schema.Type.OBJECT)
                        .build());
    }

    private static JsonNode table(ServedResource resource, String yaml, IncludeObject include) {
        ObjectNode object = Json.object();
        object.put("kind", resource.type().kind())
                .put("apiVersion", resource.type().apiVersion());
        object.putObject("metadata").put("name", "x").put("creationTimestamp", "2026-12-01T11:58:00Z");
        ObjectNode given = Yaml.parse(yaml);
        if (given.get("metadata") instanceof ObjectNode metadata) {
            metadata.properties()
                    .forEach(entry -> Json.child(object, "metadata").set(entry.getKey(), entry.getValue()));
        }
        given.properties().forEach(entry -> {
            if (!entry.getKey().equals("metadata")) {
                object.set(entry.getKey(), entry.getValue());
            }
        });
        return PRINTER.table(resource, List.of(Json.encode(object)), new TableOptions(include, true));
    }

    private static String joined(JsonNode cells) {
        List<String> texts = new ArrayList<>();
        cells.forEach(cell -> texts.add(cell.isNull() ? "null" : cell.asString()));
        return String.join(" | ", texts);
    }
}
