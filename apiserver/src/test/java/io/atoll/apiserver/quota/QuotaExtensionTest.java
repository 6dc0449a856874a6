package io.atoll.apiserver.quota;

import io.atoll.apiserver.WholeCluster;
import io.atoll.apiserver.WholeCluster.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static io.atoll.apiserver.WholeCluster.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

/** Quotas and limit ranges on a whole cluster. */
final class QuotaExtensionTest {
    private static final String NAMESPACE = "/api/v1/namespaces/default/";

    private final WholeCluster cluster;

    QuotaExtensionTest(@TempDir Path folder) {
        cluster = new WholeCluster(folder);
    }

    @BeforeEach
    void account() {
        cluster.post(ADMIN, NAMESPACE + "serviceaccounts", "{metadata: {name: default}}");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void gpusRunOut() {
        create("resourcequotas", "{metadata: {name: gpus}, spec: {hard: {requests.nvidia.com/gpu: 3}}}");
        assertThat(pod("a", "{limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 2}}")
                        .status())
                .isEqualTo(201);
        Answer refused = pod("b", "{limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 2}}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("pods \"b\" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=2, used:"
                        + " requests.nvidia.com/gpu=2, limited: requests.nvidia.com/gpu=3");
        assertThat(pod("c", "{limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: 1}}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void containersMustSayWhatAQuotaCounts() {
        create("resourcequotas", "{metadata: {name: q}, spec: {hard: {limits.cpu: 3, requests.memory: 1Gi}}}");
        assertThat(pod("a", "{}").message())
                .isEqualTo("pods \"a\" is forbidden: failed quota: q: must specify limits.cpu for: main;"
                        + " requests.memory for: main");
    }

    @Test
    void aFreedPlaceCanBeTakenAtOnce() {
        create("resourcequotas", "{metadata: {name: q}, spec: {hard: {configmaps: 1}}}");
        for (String name : List.of("a", "b", "c")) {
            assertThat(create("configmaps", "{metadata: {name: " + name + "}}").status())
                    .isEqualTo(201);
            assertThat(create("configmaps", "{metadata: {name: more}}").status())
                    .isEqualTo(403);
            cluster.delete(ADMIN, NAMESPACE + "configmaps/" + name);
        }
    }

    @Test
    void writesAtTheSameTimeDoNotOvershoot() throws Exception {
        create("resourcequotas", "{metadata: {name: q}, spec: {hard: {count/secrets: 5}}}");
        List<Callable<Integer>> writes = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String name = "s" + i;
            writes.add(
                    () -> create("secrets", "{metadata: {name: " + name + "}}").status());
        }
        int created = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : threads.invokeAll(writes)) {
                created += status.get() == 201 ? 1 : 0;
            }
        }
        assertThat(created).isEqualTo(5);
    }

    @Test
    void limitRangesFillInAndBound() {
        create(
                "limitranges",
                "{metadata: {name: l}, spec: {limits: [{type: Container, default: {cpu: 500m}, defaultRequest: {cpu:"
                        + " 100m}, max: {cpu: 1}}]}}");
        Answer filled = pod("a", "{}");
        assertThat(filled.status()).isEqualTo(201);
        JsonNode container = filled.body().path("spec").path("containers").path(0);
        assertThat(container.path("resources").path("limits").path("cpu").asString())
                .isEqualTo("500m");
        assertThat(container.path("resources").path("requests").path("cpu").asString())
                .isEqualTo("100m");
        assertThat(filled.body()
                        .path("metadata")
                        .path("annotations")
                        .path("kubernetes.io/limit-ranger")
                        .asString())
                .isEqualTo("LimitRanger plugin set: cpu request for container main; cpu limit for container main");
        assertThat(pod("b", "{limits: {cpu: 2}, requests: {cpu: 1}}").message())
                .isEqualTo("pods \"b\" is forbidden: maximum cpu usage per Container is 1, but limit is 2");
    }

    private Answer pod(String name, String resources) {
        return create(
                "pods",
                "{metadata: {name: " + name + "}, spec: {containers: [{name: main, image: i, resources: " + resources
                        + "}]}}");
    }

    private Answer create(String resource, String yaml) {
        return cluster.post(ADMIN, NAMESPACE + resource, yaml);
    }
}
