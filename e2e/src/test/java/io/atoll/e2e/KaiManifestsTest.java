package io.atoll.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What KAI's users apply, with real kubectl: it is taken as it is, and mistakes are told when they are made. */
class KaiManifestsTest {
    private static final String QUEUES = """
            apiVersion: scheduling.run.ai/v2
            kind: Queue
            metadata: {name: research}
            spec:
              displayName: Research
              resources:
                gpu: {quota: 8, limit: -1, overQuotaWeight: 1}
                cpu: {quota: -1, limit: -1, overQuotaWeight: 1}
                memory: {quota: -1, limit: -1, overQuotaWeight: 1}
            ---
            apiVersion: scheduling.run.ai/v2
            kind: Queue
            metadata: {name: vision}
            spec:
              parentQueue: research
              priority: 200
              resources:
                gpu: {quota: 2.5, limit: 4, overQuotaWeight: 3}
            """;

    private static final String GANG = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: gang
              labels: {kai.scheduler/queue: vision}
              annotations: {kai.scheduler/batch-min-member: "2"}
            spec:
              parallelism: 2
              completions: 2
              template:
                spec:
                  schedulerName: kai-scheduler
                  priorityClassName: build
                  restartPolicy: Never
                  terminationGracePeriodSeconds: 1
                  containers: [{name: main, image: busybox, command: ["sleep", "3600"]}]
            """;

    private static final String FRACTION = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: half
              annotations: {gpu-fraction: "%s"}
            spec:
              schedulerName: kai-scheduler
              containers: [{name: main, image: busybox, command: ["sleep", "3600"]}]
            """;

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void queuesPrintAsInKai(String version) {
        Kubectl kubectl = SharedHost.plain().hostKubectl(version);

        kubectl.apply(QUEUES).ok();

        assertThat(kubectl.ok("get", "queues.scheduling.run.ai", "vision", "--no-headers")
                        .split(" +"))
                .containsExactly("vision", "200", "research");
        assertThat(kubectl.ok("get", "queues.scheduling.run.ai"))
                .contains("PRIORITY")
                .contains("PARENT")
                .contains("CHILDREN")
                .contains("DISPLAYNAME")
                .contains("default-queue");
        assertThat(kubectl.ok("explain", "queue.spec.resources.gpu", "--api-version=scheduling.run.ai/v2"))
                .contains("overQuotaWeight");
        assertThat(kubectl.ok("get", "priorityclass", "inference", "-o", "jsonpath={.value}"))
                .isEqualTo("125");
        assertThat(kubectl.apply(QUEUES).ok().text()).contains("vision unchanged");
    }

    @Test
    void aJobThatAsksBecomesAGang() {
        Kubectl kubectl = SharedHost.plain().hostKubectl("1.35");
        kubectl.apply(QUEUES).ok();
        kubectl.ok("create", "namespace", "kai-gang");
        kubectl.apply(GANG, "-n", "kai-gang").ok();

        Await.until(() -> assertThat(kubectl.ok(
                                "get",
                                "pods",
                                "-n",
                                "kai-gang",
                                "-o",
                                "jsonpath={range .items[*]}{.metadata.annotations.pod-group-name}{' '}{end}")
                        .split(" "))
                .hasSize(2)
                .allMatch(group -> group.startsWith("pg-gang-")));
        assertThat(kubectl.ok(
                        "get",
                        "pg",
                        "-n",
                        "kai-gang",
                        "-o",
                        "jsonpath={.items[*].spec['minMember','queue','priorityClassName']}"))
                .isEqualTo("2 vision build");

        kubectl.ok("delete", "namespace", "kai-gang");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void mistakesAreToldWhenTheyAreMade(String version) {
        Kubectl kubectl = SharedHost.plain().hostKubectl(version);

        assertThat(kubectl.apply(FRACTION.formatted("1.5")).err())
                .contains("pods \"half\" is forbidden")
                .contains("annotation gpu-fraction must be a number above 0 and below 1, not \"1.5\"");
        assertThat(kubectl.apply("""
                        apiVersion: scheduling.run.ai/v2
                        kind: Queue
                        metadata: {name: empty}
                        spec: {displayName: Empty}
                        """).err()).contains("spec.resources is missing");
        assertThat(kubectl.apply("""
                        apiVersion: scheduling.run.ai/v2alpha2
                        kind: PodGroup
                        metadata: {name: twice}
                        spec: {subGroups: [{name: a}, {name: a}]}
                        """).err()).contains("there is another sub-group named \"a\"");
        assertThat(kubectl.apply("""
                        apiVersion: kai.scheduler/v1alpha1
                        kind: Topology
                        metadata: {name: upside-down}
                        spec: {levels: [{nodeLabel: kubernetes.io/hostname}, {nodeLabel: rack}]}
                        """).err()).contains("can only be the last level");
    }

    @Test
    void aTenantsMistakesAreToldInTheTenant() {
        EmbeddedHost host = SharedHost.plain();
        host.atoll("create", "kai-tenant", "--connect=false").ok();
        Kubectl tenant = host.tenantKubectl("1.35", "kai-tenant");

        assertThat(tenant.apply(FRACTION.formatted("2")).err())
                .contains("annotation gpu-fraction must be a number above 0 and below 1, not \"2\"");

        host.atoll("delete", "kai-tenant").ok();
    }
}
