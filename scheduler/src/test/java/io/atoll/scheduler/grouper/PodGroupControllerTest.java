package io.atoll.scheduler.grouper;

import io.atoll.base.Timers;
import io.atoll.client.Client.DeleteOptions;
import io.atoll.client.Client.PatchType;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.Yaml;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.scheduler.crd.SchedulingKeys;
import io.atoll.scheduler.crd.SchedulingObjects;
import io.atoll.scheduler.crd.SchedulingTypes;
import io.atoll.testkit.TestCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The controller on a real API server. */
class PodGroupControllerTest {
    private static final String NAMESPACE = "default";
    private static final ResourceType TRAINING =
            ResourceType.of("kubeflow.org", "v1", "pytorchjobs", "PyTorchJob", true);

    private final TestCluster cluster = TestCluster.start();
    private Optional<PodGroupController> controller = Optional.empty();

    private void start() {
        SchedulingObjects.install(cluster.client());
        cluster.client()
                .create(
                        BuiltInTypes.SERVICE_ACCOUNTS,
                        NAMESPACE,
                        Yaml.parse("{kind: ServiceAccount, apiVersion: v1, metadata: {name: default}}"));
        run();
    }

    private void run() {
        controller = Optional.of(
                PodGroupController.start(cluster.client(), cluster.cache(), Timers.system(), GrouperOptions.DEFAULT));
    }

    @AfterEach
    void close() {
        controller.ifPresent(PodGroupController::close);
        cluster.close();
    }

    @Test
    void aPodGetsAGroupOfItsOwn() {
        start();
        ObjectNode pod = pod("p", "{metadata: {labels: {kai.scheduler/queue: q, user: ada}}}");

        ObjectNode grouped = awaitGrouped("p");

        String name = "pg-p-" + Metadata.uid(pod);
        assertThat(Metadata.annotation(grouped, SchedulingKeys.POD_GROUP)).isEqualTo(name);
        ObjectNode group = cluster.client().get(SchedulingTypes.POD_GROUPS, NAMESPACE, name);
        assertThat(Json.same(group.path("spec"), Yaml.parse("{queue: q, minMember: 1, priorityClassName: train}")))
                .isTrue();
        assertThat(Metadata.label(group, SchedulingKeys.QUEUE)).isEqualTo("q");
        assertThat(Metadata.annotation(group, SchedulingKeys.USER)).isEqualTo("ada");
        assertThat(Yaml.parse(Metadata.annotation(group, SchedulingKeys.TOP_OWNER))
                        .path("kind")
                        .asString(""))
                .isEqualTo("Pod");
        assertThat(Metadata.ownerReferences(group))
                .extracting(Metadata.OwnerReference::uid)
                .containsExactly(Metadata.uid(pod));
    }

    @Test
    void podsOfOtherSchedulersAreLeftAlone() {
        start();
        cluster.client()
                .create(
                        BuiltInTypes.PODS,
                        NAMESPACE,
                        Yaml.parse("{kind: Pod, apiVersion: v1, metadata: {name: other}, spec: {containers: [{name: c,"
                                + " image: i}]}}"));
        pod("ours", "{}");

        awaitGrouped("ours");
        awaitIdle();

        assertThat(groups()).hasSize(1);
        assertThat(Metadata.annotation(
                        cluster.client().get(BuiltInTypes.PODS, NAMESPACE, "other"), SchedulingKeys.POD_GROUP))
                .isEmpty();
    }

    @Test
    void theGangOfAKindThatIsServedLater() {
        start();
        pod("early", "{}");
        awaitGrouped("early");
        ObjectNode job = trainingJob(3);
        ownedPod("t-worker-0", job, "worker");
        ownedPod("t-worker-1", job, "worker");
        ownedPod("t-master-0", job, "master");

        List.of("t-worker-0", "t-worker-1", "t-master-0").forEach(this::awaitGrouped);

        ObjectNode group = cluster.client().get(SchedulingTypes.POD_GROUPS, NAMESPACE, "pg-t-" + Metadata.uid(job));
        assertThat(group.at("/spec/minMember").asInt()).isEqualTo(4);
        assertThat(group.at("/spec/subGroups")).hasSize(2);
        assertThat(Metadata.label(awaitGrouped("t-master-0"), SchedulingKeys.SUB_GROUP))
                .isEqualTo("master");
        assertThat(groups()).hasSize(2);
    }

    @Test
    void aKindThatNobodyServesIsGroupedByItsReference() {
        start();
        pod(
                "x-0",
                "{metadata: {ownerReferences: [{apiVersion: example.com/v1, kind: Mystery, name: x, uid: u-1,"
                        + " controller: true}]}}");

        assertThat(Metadata.annotation(awaitGrouped("x-0"), SchedulingKeys.POD_GROUP))
                .isEqualTo("pg-x-u-1");
    }

    @Test
    void whatIsChangedByHandStaysAndWhatTheOwnerSaysFollows() {
        start();
        ObjectNode job = trainingJob(3);
        ownedPod("t-worker-0", job, "worker");
        awaitGrouped("t-worker-0");
        String name = "pg-t-" + Metadata.uid(job);
        cluster.client()
                .patch(
                        SchedulingTypes.POD_GROUPS,
                        NAMESPACE,
                        name,
                        "",
                        PatchType.MERGE,
                        Yaml.parse("{spec: {queue: moved, schedulingBackoff: 1, markUnschedulable: false}}"));
        cluster.client()
                .patch(
                        TRAINING,
                        NAMESPACE,
                        "t",
                        "",
                        PatchType.MERGE,
                        Yaml.parse("{spec: {pytorchReplicaSpecs: {Worker: {replicas: 5}}}}"));
        ownedPod("t-worker-1", job, "worker");

        ObjectNode group = cluster.await(
                SchedulingTypes.POD_GROUPS,
                NAMESPACE,
                name,
                each -> each.at("/spec/minMember").asInt() == 6);

        assertThat(group.at("/spec/queue").asString("")).isEqualTo("moved");
        assertThat(group.at("/spec/schedulingBackoff").asInt()).isEqualTo(1);
        assertThat(group.at("/spec/markUnschedulable").asBoolean(true)).isFalse();
    }

    @Test
    void aGroupThatIsDeletedTooEarlyComesBack() {
        start();
        pod("p", "{}");
        String name = Metadata.annotation(awaitGrouped("p"), SchedulingKeys.POD_GROUP);
        String uid = Metadata.uid(cluster.client().get(SchedulingTypes.POD_GROUPS, NAMESPACE, name));

        cluster.client().delete(SchedulingTypes.POD_GROUPS, NAMESPACE, name, DeleteOptions.DEFAULT);

        ObjectNode again = cluster.await(
                SchedulingTypes.POD_GROUPS,
                NAMESPACE,
                name,
                group -> !Metadata.uid(group).equals(uid));
        assertThat(again.at("/spec/minMember").asInt()).isEqualTo(1);
    }

    @Test
    void aGroupThatItsUserMadeIsLeftAlone() {
        start();
        ObjectNode made = cluster.client()
                .create(
                        SchedulingTypes.POD_GROUPS,
                        NAMESPACE,
                        Yaml.parse("{kind: PodGroup, apiVersion: scheduling.run.ai/v2alpha2, metadata: {name: mine},"
                                + " spec: {minMember: 2, queue: q}}"));
        ObjectNode job = trainingJob(3);
        pod("alone", "{metadata: {annotations: {pod-group-name: mine}}}");
        pod("t-worker-0", owned(job, "worker", "{metadata: {annotations: {pod-group-name: mine}}}"));
        pod("stray", "{metadata: {annotations: {pod-group-name: to-come}}}");
        pod("last", "{}");

        awaitGrouped("last");
        awaitIdle();

        for (String name : List.of("alone", "t-worker-0")) {
            assertThat(group(name)).as(name).isEqualTo("mine");
        }
        assertThat(group("stray")).isEqualTo("to-come");
        ObjectNode after = cluster.client().get(SchedulingTypes.POD_GROUPS, NAMESPACE, "mine");
        assertThat(Metadata.resourceVersion(after)).isEqualTo(Metadata.resourceVersion(made));
        assertThat(groups()).hasSize(2);
    }

    @Test
    void anOwnedPodDoesNotStayInAGroupThatNobodyMade() {
        start();
        ObjectNode job = trainingJob(1);
        pod("t-worker-0", owned(job, "worker", "{metadata: {annotations: {pod-group-name: copied}}}"));

        cluster.await(
                BuiltInTypes.PODS,
                NAMESPACE,
                "t-worker-0",
                pod -> Metadata.annotation(pod, SchedulingKeys.POD_GROUP).equals("pg-t-" + Metadata.uid(job)));
    }

    @Test
    void startingAgainChangesNothing() {
        start();
        ObjectNode job = trainingJob(2);
        ownedPod("t-worker-0", job, "worker");
        pod("p", "{}");
        List.of("t-worker-0", "p").forEach(this::awaitGrouped);
        controller.ifPresent(PodGroupController::close);
        List<String> before = versions();

        run();
        pod("q", "{}");
        awaitGrouped("q");
        awaitIdle();

        assertThat(versions()).containsAll(before);
    }

    @Test
    void whatCannotBeGroupedIsToldOnThePod() {
        start();
        ObjectNode job = trainingJob(0);
        ownedPod("t-worker-0", job, "worker");

        List<ObjectNode> events = cluster.awaitAll(
                BuiltInTypes.EVENTS,
                NAMESPACE,
                all -> all.stream()
                        .anyMatch(event -> event.path("reason").asString("").equals("PodGrouperWarning")));

        assertThat(events)
                .anySatisfy(event ->
                        assertThat(event.path("message").asString("")).isEqualTo("PyTorchJob t has no replicas"));
        assertThat(groups()).isEmpty();
    }

    /** After the last pod has been grouped, those before it are at least being looked at. */
    private void awaitIdle() {
        while (!controller.orElseThrow().idle()) {
            Thread.onSpinWait();
        }
    }

    private String group(String pod) {
        return Metadata.annotation(cluster.client().get(BuiltInTypes.PODS, NAMESPACE, pod), SchedulingKeys.POD_GROUP);
    }

    private List<ObjectNode> groups() {
        return cluster.list(SchedulingTypes.POD_GROUPS, NAMESPACE);
    }

    private List<String> versions() {
        return java.util.stream.Stream.of(BuiltInTypes.PODS, SchedulingTypes.POD_GROUPS)
                .flatMap(type -> cluster.list(type, NAMESPACE).stream())
                .map(object -> Metadata.name(object) + "@" + Metadata.resourceVersion(object))
                .toList();
    }

    private ObjectNode awaitGrouped(String name) {
        return cluster.await(
                BuiltInTypes.PODS,
                NAMESPACE,
                name,
                pod -> !Metadata.annotation(pod, SchedulingKeys.POD_GROUP).isEmpty());
    }

    private void ownedPod(String name, ObjectNode job, String role) {
        pod(name, owned(job, role, "{metadata: {}}"));
    }

    private static String owned(ObjectNode job, String role, String yaml) {
        ObjectNode pod = Yaml.parse(yaml);
        Metadata.setLabel(pod, "training.kubeflow.org/replica-type", role);
        Metadata.setOwnerReferences(
                pod,
                List.of(new Metadata.OwnerReference(
                        "kubeflow.org/v1", "PyTorchJob", Metadata.name(job), Metadata.uid(job), true, false)));
        return Json.encodeToString(pod);
    }

    private ObjectNode trainingJob(int workers) {
        cluster.client().create(BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS, "", Yaml.parse("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: pytorchjobs.kubeflow.org}
                spec:
                  group: kubeflow.org
                  scope: Namespaced
                  names: {plural: pytorchjobs, kind: PyTorchJob}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """));
        String masters = workers == 0 ? "0" : "1";
        return cluster.client()
                .create(
                        TRAINING,
                        NAMESPACE,
                        Yaml.parse("{kind: PyTorchJob, apiVersion: kubeflow.org/v1, metadata: {name: t}, spec:"
                                + " {pytorchReplicaSpecs: {Master: {replicas: " + masters + "}, Worker: {replicas: "
                                + workers + "}}}}"));
    }

    private ObjectNode pod(String name, String yaml) {
        ObjectNode pod = Yaml.parse(yaml);
        pod.put("kind", "Pod").put("apiVersion", "v1");
        Metadata.setName(pod, name);
        JsonNode spec = Yaml.parse("{schedulerName: kai-scheduler, containers: [{name: main, image: work}]}");
        pod.set("spec", spec);
        return cluster.client().create(BuiltInTypes.PODS, NAMESPACE, pod);
    }
}
