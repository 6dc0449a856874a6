package io.atoll.e2e;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands that users type all day, in a tenant, as against any cluster. */
class KubectlTest {
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
              labels: {app: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata:
                  labels: {app: web}
                spec:
                  terminationGracePeriodSeconds: 1
                  containers:
                  - name: web
                    image: busybox:%s
                    command: ["sh", "-c", "echo version %s; while true; do sleep 0.2; done"]
            """;

    private static final String CRON_TABS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: crontabs.stable.example.com}
            spec:
              group: stable.example.com
              scope: Namespaced
              names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct]}
              versions:
              - name: v1
                served: true
                storage: true
                additionalPrinterColumns: [{name: Spec, type: string, jsonPath: .spec.cron}]
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {cron: {type: string, description: When it runs.}}}
            """;
    private static final String CRON_TAB =
            "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: nightly}, spec: {cron: often}}";

    private static final Map<String, Kubectl> TENANTS = new HashMap<>();

    @BeforeAll
    static void tenants() {
        for (String version : Kubectl.VERSIONS) {
            String name = "kubectl-" + version.replace('.', '-');
            SharedHost.plain().atoll("create", name, "--connect=false").ok();
            TENANTS.put(version, SharedHost.plain().tenantKubectl(version, name));
        }
    }

    @AfterAll
    static void clean() {
        Kubectl.VERSIONS.forEach(version -> SharedHost.plain()
                .atoll("delete", "kubectl-" + version.replace('.', '-'))
                .ok());
    }

    private static Kubectl inNamespace(String version, String namespace) {
        Kubectl kubectl = java.util.Objects.requireNonNull(TENANTS.get(version));
        kubectl.run("create", "namespace", namespace).ok();
        return kubectl;
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void rollsOutScalesAndUndoesADeployment(String version) {
        Kubectl kubectl = inNamespace(version, "rollout");
        assertThat(kubectl.apply(DEPLOYMENT.formatted("1", "1"), "-n", "rollout")
                        .ok()
                        .text())
                .isEqualTo("deployment.apps/web created");
        kubectl.run("rollout", "status", "deployment/web", "-n", "rollout", "--timeout=60s")
                .ok();
        assertThat(kubectl.ok("get", "deployment", "web", "-n", "rollout", "--no-headers"))
                .containsPattern("2/2 +2 +2");
        assertThat(kubectl.ok("get", "deployments", "-o", "wide", "-n", "rollout"))
                .containsSubsequence("READY", "SELECTOR", "web", "busybox:1", "app=web");

        assertThat(kubectl.apply(DEPLOYMENT.formatted("2", "2"), "-n", "rollout")
                        .ok()
                        .text())
                .isEqualTo("deployment.apps/web configured");
        kubectl.run("rollout", "status", "deployment/web", "-n", "rollout", "--timeout=60s")
                .ok();
        assertThat(kubectl.apply(DEPLOYMENT.formatted("2", "2"), "-n", "rollout")
                        .ok()
                        .text())
                .isEqualTo("deployment.apps/web unchanged");
        assertThat(kubectl.ok("rollout", "history", "deployment/web", "-n", "rollout"))
                .contains("1 ")
                .contains("2 ");

        kubectl.run("rollout", "undo", "deployment/web", "-n", "rollout").ok();
        kubectl.run("rollout", "status", "deployment/web", "-n", "rollout", "--timeout=60s")
                .ok();
        assertThat(kubectl.ok(
                        "get",
                        "deploy",
                        "web",
                        "-n",
                        "rollout",
                        "-o",
                        "jsonpath={.spec.template.spec.containers[0].image}"))
                .isEqualTo("busybox:1");

        kubectl.run("scale", "deployment/web", "--replicas=3", "-n", "rollout").ok();
        kubectl.run(
                        "wait",
                        "--for=jsonpath={.status.readyReplicas}=3",
                        "deployment/web",
                        "-n",
                        "rollout",
                        "--timeout=60s")
                .ok();
        kubectl.run("rollout", "restart", "deployment/web", "-n", "rollout").ok();
        kubectl.run("rollout", "status", "deployment/web", "-n", "rollout", "--timeout=60s")
                .ok();
        assertThat(kubectl.ok("describe", "deployment", "web", "-n", "rollout")).contains("ScalingReplicaSet");

        kubectl.run("delete", "deployment", "web", "-n", "rollout", "--cascade=foreground", "--timeout=60s")
                .ok();
        assertThat(kubectl.run("get", "replicasets,pods", "-n", "rollout").ok().err())
                .contains("No resources found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void logsAndExec(String version) {
        Kubectl kubectl = inNamespace(version, "streams");
        kubectl.apply("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: talk}
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers:
                          - name: main
                            image: busybox
                            env: [{name: GREETING, value: hello}]
                            command: ["sh", "-c", "i=0; while true; do i=$((i+1)); echo line $i; sleep 0.1; done"]
                        """, "-n", "streams").ok();
        kubectl.run("wait", "--for=condition=Ready", "pod/talk", "-n", "streams", "--timeout=60s")
                .ok();
        try (Kubectl.Following logs = kubectl.follow("logs", "-f", "talk", "-n", "streams")) {
            logs.until("line 3");
            logs.until("line 8");
        }
        assertThat(kubectl.ok("logs", "talk", "-n", "streams", "--tail=1")).startsWith("line ");
        assertThat(kubectl.ok("exec", "talk", "-n", "streams", "--", "sh", "-c", "echo $GREETING"))
                .isEqualTo("hello");
        assertThat(kubectl.runWith("typed\n", "exec", "-i", "talk", "-n", "streams", "--", "cat")
                        .ok()
                        .text())
                .isEqualTo("typed");
        kubectl.run("exec", "talk", "-n", "streams", "--", "sh", "-c", "echo oops >&2; exit 3")
                .failed(3);
        assertThat(kubectl.run("exec", "talk", "-c", "nope", "-n", "streams", "--", "true")
                        .failed(1)
                        .err())
                .contains("nope");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void watchesPatchesAndDeletes(String version) {
        Kubectl kubectl = inNamespace(version, "objects");
        try (Kubectl.Following watch =
                kubectl.follow("get", "configmaps", "-n", "objects", "-w", "--output-watch-events")) {
            kubectl.run("create", "configmap", "cm", "--from-literal=a=1", "-n", "objects")
                    .ok();
            watch.until("cm ");
            kubectl.run("patch", "configmap", "cm", "-n", "objects", "--type=merge", "-p", "{\"data\":{\"b\":\"2\"}}")
                    .ok();
            watch.until("MODIFIED");
            kubectl.run(
                            "patch",
                            "configmap",
                            "cm",
                            "-n",
                            "objects",
                            "--type=json",
                            "-p",
                            "[{\"op\":\"remove\",\"path\":\"/data/a\"}]")
                    .ok();
            kubectl.run("patch", "configmap", "cm", "-n", "objects", "-p", "{\"data\":{\"c\":\"3\"}}")
                    .ok();
            assertThat(kubectl.ok("get", "configmap", "cm", "-n", "objects", "-o", "jsonpath={.data}"))
                    .isEqualTo("{\"b\":\"2\",\"c\":\"3\"}");
            kubectl.run("label", "configmap", "cm", "-n", "objects", "tier=gold")
                    .ok();
            assertThat(kubectl.ok("get", "configmaps", "-n", "objects", "-l", "tier=gold", "-o", "name"))
                    .isEqualTo("configmap/cm");
            assertThat(kubectl.ok(
                            "get", "configmaps", "-n", "objects", "--field-selector=metadata.name=cm", "-o", "name"))
                    .isEqualTo("configmap/cm");
            kubectl.run("annotate", "configmap", "cm", "-n", "objects", "note=x")
                    .ok();
            // What 'kubectl edit' sends: a changed copy of the whole object, replaced by an editor.
            String edited = kubectl.ok("get", "configmap", "cm", "-n", "objects", "-o", "yaml")
                    .replace("b: \"2\"", "b: \"22\"");
            kubectl.runWith(edited, "replace", "-f", "-").ok();
            assertThat(kubectl.runWith(edited, "replace", "-f", "-").failed(1).err())
                    .contains("the object has been modified");
            kubectl.run("delete", "configmap", "cm", "-n", "objects").ok();
            watch.until("DELETED");
        }
        assertThat(kubectl.run("get", "configmap", "cm", "-n", "objects")
                        .failed(1)
                        .err())
                .contains("Error from server (NotFound): configmaps \"cm\" not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void appliesServerSideWithConflicts(String version) {
        Kubectl kubectl = inNamespace(version, "apply");
        String manifest = DEPLOYMENT.formatted("1", "1");
        assertThat(kubectl.apply(manifest, "--server-side", "-n", "apply").ok().text())
                .isEqualTo("deployment.apps/web serverside-applied");
        kubectl.run("scale", "deployment/web", "--replicas=1", "-n", "apply").ok();
        Shell.Result conflict =
                kubectl.apply(manifest, "--server-side", "-n", "apply").failed(1);
        assertThat(conflict.err()).contains("Apply failed with 1 conflict").contains(".spec.replicas");
        kubectl.apply(manifest, "--server-side", "--force-conflicts", "-n", "apply")
                .ok();
        assertThat(kubectl.ok("get", "deployment", "web", "-n", "apply", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("2");
        assertThat(kubectl.apply(manifest.replace("replicas", "replicaz"), "-n", "apply")
                        .failed(1)
                        .err())
                .contains("unknown field \"spec.replicaz\"");
        assertThat(kubectl.apply(manifest.replace("name: web\n  labels", "name: Web_\n  labels"), "-n", "apply")
                        .failed(1)
                        .err())
                .contains("is invalid: metadata.name");
        kubectl.run("delete", "deployment", "web", "-n", "apply", "--cascade=background")
                .ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void discoversExplainsAndAuthorizes(String version) {
        Kubectl kubectl = java.util.Objects.requireNonNull(TENANTS.get(version));
        assertThat(kubectl.ok("api-resources", "-o", "name").lines())
                .contains(
                        "pods",
                        "deployments.apps",
                        "jobs.batch",
                        "networkpolicies.networking.k8s.io",
                        "customresourcedefinitions.apiextensions.k8s.io",
                        "resourceclaims.resource.k8s.io");
        assertThat(kubectl.ok("api-versions").lines()).contains("v1", "apps/v1", "autoscaling/v2");
        assertThat(kubectl.ok("explain", "pod.spec.containers.image")).contains("image <string>");
        assertThat(kubectl.ok("version", "-o", "json")).contains("\"minor\": \"36\"");
        assertThat(kubectl.ok("auth", "can-i", "delete", "nodes")).isEqualTo("yes");
        assertThat(kubectl.run("auth", "can-i", "list", "secrets", "--as=system:serviceaccount:default:default")
                        .failed(1)
                        .text())
                .isEqualTo("no");
        assertThat(kubectl.run("get", "secrets", "-A", "--as=system:serviceaccount:default:default")
                        .failed(1)
                        .err())
                .contains("Error from server (Forbidden): secrets is forbidden: User"
                        + " \"system:serviceaccount:default:default\" cannot list resource \"secrets\" in API group \"\""
                        + " at the cluster scope");
        kubectl.run(
                        "create",
                        "rolebinding",
                        "reader",
                        "--clusterrole=view",
                        "--serviceaccount=default:default",
                        "-n",
                        "default")
                .ok();
        assertThat(kubectl.ok(
                        "auth", "can-i", "list", "pods", "-n", "default", "--as=system:serviceaccount:default:default"))
                .isEqualTo("yes");
        assertThat(kubectl.ok("auth", "whoami")).contains("system:masters");
        assertThat(kubectl.ok("get", "serviceaccount", "default", "-n", "default", "-o", "name"))
                .isEqualTo("serviceaccount/default");
        assertThat(kubectl.ok("get", "configmap", "kube-root-ca.crt", "-n", "default", "-o", "jsonpath={.data}"))
                .contains("BEGIN CERTIFICATE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void servesAKindOfItsUsersOwn(String version) {
        Kubectl kubectl = inNamespace(version, "custom");
        assertThat(kubectl.runWith(CRON_TABS, "create", "-f", "-").ok().text()).endsWith(" created");
        kubectl.run("wait", "--for=condition=Established", "crd/crontabs.stable.example.com", "--timeout=30s")
                .ok();
        assertThat(kubectl.ok("api-resources", "--api-group=stable.example.com"))
                .containsSubsequence("crontabs", "ct", "stable.example.com/v1", "true", "CronTab");
        assertThat(kubectl.ok("explain", "ct.spec")).containsSubsequence("cron", "When it runs.");
        assertThat(kubectl.apply(CRON_TAB, "-n", "custom", "--dry-run=server")
                        .ok()
                        .text())
                .isEqualTo("crontab.stable.example.com/nightly created (server dry run)");
        assertThat(kubectl.apply(CRON_TAB, "-n", "custom").ok().text())
                .isEqualTo("crontab.stable.example.com/nightly created");
        assertThat(kubectl.ok("get", "ct", "-n", "custom")).containsSubsequence("NAME", "SPEC", "nightly", "often");
        assertThat(kubectl.ok("delete", "ct", "--all", "-n", "custom")).contains("\"nightly\" deleted");
        kubectl.run("delete", "crd", "crontabs.stable.example.com", "--timeout=30s")
                .ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void givesTokensToServiceAccounts(String version) {
        Kubectl kubectl = inNamespace(version, "tokens");
        kubectl.run("create", "serviceaccount", "bot", "-n", "tokens").ok();
        String token = kubectl.ok("create", "token", "bot", "-n", "tokens");
        assertThat(token).startsWith("eyJ");
        assertThat(kubectl.ok("auth", "can-i", "--list")).containsSubsequence("*.*", "[*]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void runsJobsToTheirEnd(String version) {
        Kubectl kubectl = inNamespace(version, "jobs");
        kubectl.run("create", "job", "ok", "--image=busybox", "-n", "jobs", "--", "sh", "-c", "echo done")
                .ok();
        kubectl.run("wait", "--for=condition=Complete", "job/ok", "-n", "jobs", "--timeout=60s")
                .ok();
        assertThat(kubectl.ok("logs", "job/ok", "-n", "jobs")).isEqualTo("done");
        assertThat(kubectl.ok("get", "job", "ok", "-n", "jobs", "--no-headers"))
                .contains("Complete")
                .contains("1/1");
        kubectl.apply("""
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: bad}
                        spec:
                          backoffLimit: 0
                          template:
                            spec:
                              restartPolicy: Never
                              containers:
                              - {name: c, image: busybox, command: ["sh", "-c", "exit 5"]}
                        """, "-n", "jobs").ok();
        kubectl.run("wait", "--for=condition=Failed", "job/bad", "-n", "jobs", "--timeout=60s")
                .ok();
        assertThat(kubectl.ok(
                        "get",
                        "pods",
                        "-l",
                        "job-name=bad",
                        "-n",
                        "jobs",
                        "-o",
                        "jsonpath={.items[0].status.containerStatuses[0].state.terminated.exitCode}"))
                .isEqualTo("5");
        kubectl.run("delete", "namespace", "jobs", "--timeout=60s").ok();
    }
}
