package io.atoll.e2e;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Pods wait for GPUs, and the tenant can read why. */
class GpuQueueTest {
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
            spec:
              restartPolicy: Never
              nodeSelector:
                cloud.google.com/gke-accelerator: nvidia-tesla-t4
              containers:
              - name: main
                image: busybox
                command: ["sh", "-c", "while [ ! -f %s ]; do sleep 0.1; done"]
                resources:
                  limits:
                    nvidia.com/gpu: 1
            """;

    @Test
    void theThirdPodForTwoGpusWaitsSaysWhyAndStartsWhenOneEnds() throws Exception {
        try (EmbeddedHost host = EmbeddedHost.up("--nodes", "2:T4x1", "--nodes", "1:H100x8")) {
            host.atoll("create", "queue", "--connect=false").ok();
            Kubectl tenant = host.tenantKubectl("1.35", "queue");
            for (String name : new String[] {"one", "two"}) {
                tenant.apply(POD.formatted(name, host.home().resolve(name + ".end")))
                        .ok();
            }
            for (String name : new String[] {"one", "two"}) {
                tenant.run("wait", "--for=condition=Ready", "pod/" + name, "--timeout=60s")
                        .ok();
            }
            tenant.apply(POD.formatted("three", host.home().resolve("three.end")))
                    .ok();

            String message = Await.until(() -> {
                String events = tenant.ok(
                        "get",
                        "events",
                        "--field-selector=involvedObject.name=three,reason=FailedScheduling",
                        "-o",
                        "jsonpath={.items[*].message}");
                assertThat(events).isNotEmpty();
                return events;
            });
            assertThat(message)
                    .startsWith("0/3 nodes are available: ")
                    .contains("2 Insufficient nvidia.com/gpu")
                    .contains("1 node(s) didn't match Pod's node affinity/selector");
            assertThat(tenant.ok("get", "pod", "three", "-o", "jsonpath={.status.phase}"))
                    .isEqualTo("Pending");
            assertThat(tenant.ok(
                            "get",
                            "pod",
                            "three",
                            "-o",
                            "jsonpath={.status.conditions[?(@.type==\"PodScheduled\")].reason}"))
                    .isEqualTo("Unschedulable");
            assertThat(tenant.ok("describe", "pod", "three")).contains("FailedScheduling");

            java.nio.file.Files.createFile(host.home().resolve("one.end"));
            tenant.run("wait", "--for=condition=Ready", "pod/three", "--timeout=60s")
                    .ok();
        }
    }
}
