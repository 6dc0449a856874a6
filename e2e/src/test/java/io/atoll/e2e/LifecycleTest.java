package io.atoll.e2e;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Hosts and tenants come, stay through restarts, and go. */
class LifecycleTest {
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: stays}
            spec:
              terminationGracePeriodSeconds: 1
              containers:
              - {name: main, image: busybox, command: ["sh", "-c", "while true; do sleep 0.2; done"]}
            """;

    @Test
    void everythingSurvivesDownAndUpAndSigkill() {
        try (EmbeddedHost host = EmbeddedHost.up("--nodes", "1:cpu")) {
            host.atoll("create", "team-a").ok();
            Kubectl tenant = host.tenantKubectl("1.35", "team-a");
            tenant.run("create", "configmap", "kept", "--from-literal=a=b").ok();
            tenant.apply(POD).ok();
            tenant.run("wait", "--for=condition=Ready", "pod/stays", "--timeout=60s")
                    .ok();
            String uid = tenant.ok("get", "configmap", "kept", "-o", "jsonpath={.metadata.uid}");

            host.atoll("down").ok();
            assertThat(tenant.run("get", "configmap", "kept").failed(1).err()).contains("refused");
            assertThat(host.atoll("list").failed(1).err()).contains("atoll up");
            host.atoll("up", "--detach").ok();
            assertThat(tenant.ok("get", "configmap", "kept", "-o", "jsonpath={.metadata.uid}"))
                    .isEqualTo(uid);
            Await.until(() -> tenant.run("wait", "--for=condition=Ready", "pod/stays", "--timeout=60s")
                    .ok());

            host.kill();
            host.atoll("up", "--detach").ok();
            assertThat(tenant.ok("get", "configmap", "kept", "-o", "jsonpath={.metadata.uid}"))
                    .isEqualTo(uid);
            Await.until(() -> tenant.run("wait", "--for=condition=Ready", "pod/stays", "--timeout=60s")
                    .ok());
            assertThat(host.atoll("list").ok().out())
                    .contains("team-a")
                    .contains("Running")
                    .contains("True");
        }
    }

    @Test
    void aTenantOfTheSameNameStartsEmpty() {
        EmbeddedHost host = SharedHost.plain();
        host.atoll("create", "again", "--connect=false").ok();
        Kubectl first = host.tenantKubectl("1.35", "again");
        first.run("create", "namespace", "old").ok();
        first.apply(POD).ok();
        first.run("wait", "--for=condition=Ready", "pod/stays", "--timeout=60s").ok();
        host.atoll("delete", "again").ok();
        assertThat(host.hostKubectl("1.35").ok("get", "pods", "-A", "-o", "name"))
                .doesNotContain("stays-x-default-x-again");
        host.atoll("create", "again", "--connect=false").ok();
        Kubectl second = host.tenantKubectl("1.35", "again");
        assertThat(second.ok("get", "namespaces", "-o", "name")).doesNotContain("old");
        assertThat(second.ok("get", "pods", "-A", "-o", "name")).isEmpty();
        assertThat(first.run("get", "namespaces").exit()).isNotZero();
        host.atoll("delete", "again").ok();
    }

    @Test
    void connectAndDisconnectMoveTheContext() {
        EmbeddedHost host = SharedHost.plain();
        host.atoll("create", "ctx-one").ok();
        host.atoll("create", "ctx-two").ok();
        assertThat(context(host)).isEqualTo("atoll_ctx-two_vcluster-ctx-two");
        host.atoll("disconnect").ok();
        assertThat(context(host)).isEqualTo("atoll_ctx-one_vcluster-ctx-one");
        host.atoll("connect", "ctx-two").ok();
        host.atoll("delete", "ctx-two").ok();
        assertThat(context(host)).isEqualTo("atoll_ctx-one_vcluster-ctx-one");
        host.atoll("disconnect").ok();
        assertThat(context(host)).isEqualTo("atoll-host");
        assertThat(host.atoll("disconnect").failed(1).err()).contains("does not point at a tenant");
        host.atoll("delete", "ctx-one").ok();
    }

    /** As after {@code export KUBECONFIG=~/.atoll/host.kubeconfig}, which {@code atoll up} suggests. */
    @Test
    void tenantsMayBeConnectedInTheHostsOwnKubeconfig() {
        EmbeddedHost host = SharedHost.plain();
        Kubectl operator = host.hostKubectl("1.35");
        host.atoll("create", "inside", "--connect=false").ok();
        String file = host.folder().resolve("host.kubeconfig").toString();
        host.atoll("connect", "inside", "--kube-config", file).ok();
        try {
            assertThat(operator.ok("config", "current-context")).isEqualTo("atoll_inside_vcluster-inside");
            host.atoll("describe", "inside").ok();
            host.atoll("connect", "inside", "--kube-config", file).ok();
        } finally {
            operator.run("config", "use-context", "atoll-host").ok();
        }
        host.atoll("delete", "inside").ok();
    }

    @Test
    void tenantsAreResourcesOfTheHostToo() {
        EmbeddedHost host = SharedHost.plain();
        Kubectl operator = host.hostKubectl("1.35");
        operator.apply("""
                        apiVersion: atoll.dev/v1alpha1
                        kind: TenantCluster
                        metadata: {name: declared, namespace: default}
                        spec:
                          config: {sync: {toHost: {pods: {enabled: true}}}}
                        """).ok();
        operator.run("wait", "--for=condition=Ready", "tenantcluster/declared", "-n", "default", "--timeout=60s")
                .ok();
        host.tenantKubectl("1.35", "declared", "default")
                .run("get", "namespaces")
                .ok();
        operator.apply("""
                        apiVersion: atoll.dev/v1alpha1
                        kind: TenantCluster
                        metadata: {name: mistaken, namespace: default}
                        spec:
                          config: {sync: {toHost: {podz: {enabled: true}}}}
                        """).ok();
        operator.run(
                        "wait",
                        "--for=jsonpath={.status.conditions[0].reason}=InvalidConfiguration",
                        "tenantcluster/mistaken",
                        "-n",
                        "default",
                        "--timeout=60s")
                .ok();
        operator.run("delete", "tenantclusters", "--all", "-n", "default", "--timeout=60s")
                .ok();
    }

    private static String context(EmbeddedHost host) {
        return new Kubectl("1.35", host.home().resolve("kubeconfig"), host.shell()).ok("config", "current-context");
    }
}
