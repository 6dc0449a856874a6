package io.atoll.apiserver;

import io.atoll.apiserver.http.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Real kubectl against a whole cluster; runs where the variable KUBECTL names the program. */
@EnabledIfEnvironmentVariable(named = "KUBECTL", matches = ".+")
final class KubectlTest {
    private static final String DEPLOYMENT = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: apps/v1
              kind: Deployment
              metadata: {name: web}
              spec:
                replicas: 2
                selector: {matchLabels: {app: web}}
                template:
                  metadata: {labels: {app: web}}
                  spec: {containers: [{name: c, image: nginx}]}
            - {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: b}}
            """;
    private static final String TYPO = "{apiVersion: v1, kind: ConfigMap, metadata: {name: typo}, dta: {a: b}}";
    private static final String CRD = """
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

    /** One command: its input, and what must be in its output or complaint, in this order. */
    private record Step(String command, String input, List<String> expected) {
        Step(String command, String input, String... expected) {
            this(command, input, List.of(expected));
        }
    }

    private static final List<Step> STEPS = List.of(
            new Step("api-versions", "", "apps/v1", "autoscaling/v2", "storage.k8s.io/v1"),
            new Step("api-resources", "", "deployments", "deploy", "apps/v1", "true", "Deployment"),
            new Step("explain deployment.spec.replicas", "", "KIND:       Deployment", "FIELD: replicas <integer>"),
            new Step("apply -f -", DEPLOYMENT, "deployment.apps/web created", "configmap/settings created"),
            new Step("apply -f -", DEPLOYMENT, "deployment.apps/web unchanged", "configmap/settings unchanged"),
            new Step("apply --dry-run=server -f -", DEPLOYMENT, "unchanged (server dry run)"),
            new Step("apply -f -", TYPO, "strict decoding error: unknown field \"dta\""),
            new Step("get deployments -o wide", "", "READY", "SELECTOR", "web", "0/2", "nginx", "app=web"),
            new Step("auth whoami", "", "kubernetes-admin", "system:masters"),
            new Step("auth can-i --list", "", "*.*", "[*]"),
            new Step("auth can-i delete pods --as=eve", "", "no"),
            new Step("create rolebinding eve --clusterrole=view --user=eve", "", "created"),
            new Step("auth can-i list pods --as=eve", "", "yes"),
            new Step(
                    "get secrets --as=eve",
                    "",
                    "secrets is forbidden: User \"eve\" cannot list resource \"secrets\" in API group \"\" in the"
                            + " namespace \"default\""),
            new Step("create serviceaccount bot", "", "serviceaccount/bot created"),
            new Step("create token bot", "", "eyJ"),
            new Step("create -f -", CRD, "created"),
            new Step("wait --for=condition=Established crd/crontabs.stable.example.com", "", "condition met"),
            new Step("api-resources --api-group=stable.example.com", "", "crontabs", "ct", "CronTab"),
            new Step("explain ct.spec", "", "cron", "When it runs."),
            new Step("apply -f -", CRON_TAB, "crontab.stable.example.com/nightly created"),
            new Step("get ct", "", "NAME", "SPEC", "nightly", "often"),
            new Step("delete ct --all", "", "\"nightly\" deleted"));

    @TestFactory
    Stream<DynamicTest> commands(@TempDir Path folder) throws IOException {
        WholeCluster cluster = new WholeCluster(folder);
        Listener listener = new Listener(Listener.Options.loopback());
        int port = listener.addCluster(cluster.api, 0, cluster.keys.tls(), Set.of())
                .getPort();
        Path kubeconfig = folder.resolve("kubeconfig");
        Files.writeString(kubeconfig, cluster.keys.adminKubeconfig("test", "https://127.0.0.1:" + port));
        return STEPS.stream()
                .map(step -> DynamicTest.dynamicTest(step.command(), () -> run(step, folder, kubeconfig)))
                .onClose(() -> {
                    listener.close();
                    cluster.close();
                });
    }

    private static void run(Step step, Path folder, Path kubeconfig) throws Exception {
        List<String> words = new ArrayList<>(List.of(System.getenv("KUBECTL"), "--kubeconfig", kubeconfig.toString()));
        words.addAll(Arrays.asList(step.command().split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        try (OutputStream input = process.getOutputStream()) {
            input.write(step.input().getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(output).containsSubsequence(step.expected());
    }
}
