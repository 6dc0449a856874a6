package io.atoll.e2e;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A tenant as an attacker: what it must not see, name or use. */
class IsolationTest {
    private static final String CRD = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: widgets.example.com
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: widgets, singular: widget, kind: Widget}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: %s}
            """;

    private static final String WIDGET = """
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: w}
            spec: {size: %s}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: twin}
            spec:
              containers:
              - name: main
                image: busybox
                command: ["sh", "-c", "echo I am %s; exec sleep 1000"]
            """;

    private static EmbeddedHost host;
    private static Kubectl red;
    private static Kubectl blue;

    @BeforeAll
    static void twoTenants() {
        host = SharedHost.plain();
        host.atoll("create", "red", "--connect=false").ok();
        host.atoll("create", "blue", "--connect=false").ok();
        red = host.tenantKubectl("1.35", "red");
        blue = host.tenantKubectl("1.35", "blue");
    }

    @AfterAll
    static void clean() {
        host.atoll("delete", "red").ok();
        host.atoll("delete", "blue").ok();
    }

    @Test
    void sameCrdWithIncompatibleSchemas() {
        red.apply(CRD.formatted("integer")).ok();
        blue.apply(CRD.formatted("string")).ok();
        red.run("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=30s")
                .ok();
        blue.run("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=30s")
                .ok();
        red.apply(WIDGET.formatted("3")).ok();
        blue.apply(WIDGET.formatted("\"three\"")).ok();
        assertThat(red.apply(WIDGET.formatted("\"three\"")).failed(1).err()).contains("spec.size");
        assertThat(blue.apply(WIDGET.formatted("3")).failed(1).err()).contains("spec.size");
        assertThat(red.ok("get", "widgets", "w", "-o", "jsonpath={.spec.size}")).isEqualTo("3");
        assertThat(blue.ok("get", "widgets", "w", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("three");
    }

    @Test
    void samePodNameInBoth() {
        red.apply(POD.formatted("red")).ok();
        blue.apply(POD.formatted("blue")).ok();
        red.run("wait", "--for=condition=Ready", "pod/twin", "--timeout=60s").ok();
        blue.run("wait", "--for=condition=Ready", "pod/twin", "--timeout=60s").ok();
        assertThat(red.ok("logs", "twin")).isEqualTo("I am red");
        assertThat(blue.ok("logs", "twin")).isEqualTo("I am blue");
        Kubectl operator = host.hostKubectl("1.35");
        assertThat(operator.ok("get", "pods", "-n", "vcluster-red", "-o", "name"))
                .contains("twin-x-default-x-red");
        assertThat(operator.ok("get", "pods", "-n", "vcluster-blue", "-o", "name"))
                .contains("twin-x-default-x-blue");
        assertThat(red.ok("exec", "twin", "--", "sh", "-c", "echo $HOSTNAME; exit 0"))
                .isNotNull();
    }

    @Test
    void credentialsOfOneAreRefusedByTheOtherAndTheHost() {
        String redServer = server(red);
        String blueServer = server(blue);
        String hostServer = server(host.hostKubectl("1.35"));
        String redToken = red.ok("create", "token", "default", "-n", "default");
        assertThat(red.ok("auth", "whoami", "--token=" + redToken, "-o", "jsonpath={.status.userInfo.username}"))
                .isNotEmpty();
        for (String other : new String[] {blueServer, hostServer}) {
            Shell.Result byToken = new Kubectl("1.35", host.home().resolve("none"), host.shell())
                    .run(
                            "get",
                            "--raw",
                            "/api/v1/namespaces",
                            "--server=" + other,
                            "--insecure-skip-tls-verify",
                            "--token=" + redToken);
            assertThat(byToken.failed(1).err()).contains("Unauthorized");
            Shell.Result byCertificate =
                    red.run("get", "--raw", "/api/v1/namespaces", "--server=" + other, "--insecure-skip-tls-verify");
            assertThat(byCertificate.failed(1).err()).containsAnyOf("Unauthorized", "certificate");
        }
        assertThat(redServer).isNotEqualTo(blueServer).isNotEqualTo(hostServer);
    }

    @Test
    void nothingOfTheHostOrOfTheOtherShows() {
        blue.run("create", "namespace", "blue-only").ok();
        blue.run("create", "secret", "generic", "blue-secret", "--from-literal=a=b")
                .ok();
        assertThat(red.ok("get", "namespaces", "-o", "name").lines())
                .containsExactlyInAnyOrder(
                        "namespace/default",
                        "namespace/kube-node-lease",
                        "namespace/kube-public",
                        "namespace/kube-system");
        for (String kind : new String[] {"pods", "secrets", "events", "configmaps", "serviceaccounts", "leases"}) {
            assertThat(red.ok("get", kind, "-A", "-o", "yaml"))
                    .as(kind)
                    .doesNotContain("blue")
                    .doesNotContain("vcluster-");
        }
        assertThat(red.run("get", "tenantclusters").failed(1).err()).contains("doesn't have a resource type");
        assertThat(red.ok("get", "nodes", "-o", "yaml")).doesNotContain("blue");
    }

    /** Each of these once stopped the whole process, or a part of it that others need. */
    @Test
    void whatOneTenantSendsStopsNoOther() {
        StringBuilder copies = new StringBuilder("[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"a\":\"x\"}}");
        for (int i = 0; i < 40; i++) {
            copies.append(",{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/k")
                    .append(i)
                    .append("\"}");
        }
        red.run("create", "configmap", "bomb", "--from-literal=a=x").ok();
        assertThat(red.run("patch", "configmap", "bomb", "--type=json", "-p", copies + "]")
                        .failed(1)
                        .err())
                .contains("copy");
        red.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: last-words}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    command: ["sh", "-c", "i=0; while [ $i -lt 2000 ]; do printf -- -x; i=$((i+1)); done > /dev/termination-log"]
                """).ok();
        red.run("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/last-words", "--timeout=60s")
                .ok();
        assertThat(red.run("get", "--raw", "/api/v1/nodes/h100x8-0/proxy/pods")
                        .failed(1)
                        .err())
                .contains("NotFound");
        assertThat(blue.ok("get", "--raw", "/readyz")).isEqualTo("ok");
    }

    @Test
    void aTenantGoesThoughItsPodsWouldNot() {
        host.atoll("create", "stubborn", "--connect=false").ok();
        Kubectl stubborn = host.tenantKubectl("1.35", "stubborn");
        stubborn.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: stays}
                spec:
                  terminationGracePeriodSeconds: 86400
                  containers:
                  - name: main
                    image: busybox
                    command: ["sh", "-c", "trap '' TERM; echo up; while true; do sleep 1; done"]
                """).ok();
        stubborn.run("wait", "--for=condition=Ready", "pod/stays", "--timeout=60s")
                .ok();
        stubborn.run("delete", "pod", "stays", "--wait=false").ok();
        host.atoll("delete", "stubborn").ok();
        assertThat(host.hostKubectl("1.35").ok("get", "pods", "-n", "vcluster-stubborn", "-o", "name"))
                .isEmpty();
    }

    private static String server(Kubectl kubectl) {
        return kubectl.ok("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}");
    }
}
