package io.atoll.e2e;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The published tutorial, command by command. */
class TutorialTest {
    private static final Path FILES = EmbeddedHost.REPOSITORY.resolve("e2e/src/test/resources/tutorial");

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void runsAGpuJobInATenantOnTaintedNodes(String version) {
        EmbeddedHost host = SharedHost.tainted();
        host.hostKubectl(version).run("create", "namespace", "vcluster-gpu").ok();
        host.atoll(
                        "create",
                        "my-gpu-vcluster",
                        "-n",
                        "vcluster-gpu",
                        "--set=syncer.extraArgs={--enforce-node-selector,--node-selector=cloud.google.com/gke-accelerator=nvidia-tesla-t4}",
                        "--set=sync.pods.enforceTolerations=true",
                        "--set=sync.pods.usePodTemplate=true",
                        "--set=sync.pods.podTemplate.spec.tolerations[0].key=nvidia.com/gpu",
                        "--set=sync.pods.podTemplate.spec.tolerations[0].operator=Exists",
                        "--set=sync.pods.podTemplate.spec.tolerations[0].effect=NoSchedule",
                        "--connect=false")
                .ok();
        host.atoll("connect", "my-gpu-vcluster", "-n", "vcluster-gpu").ok();
        Kubectl user = new Kubectl(version, host.home().resolve("kubeconfig"), host.shell());
        assertThat(user.ok("config", "current-context")).isEqualTo("atoll_my-gpu-vcluster_vcluster-gpu");
        user.run("apply", "-f", FILES.resolve("tenant-gpu-job.yaml").toString()).ok();
        assertThat(user.run("logs", "-f", "job/pytorch-gpu-test").ok().out())
                .containsAnyOf("devices granted: 1", "Device count: 1", "Is CUDA available?");
        user.run("wait", "--for=condition=Complete", "job/pytorch-gpu-test", "--timeout=60s")
                .ok();
        assertThat(user.ok(
                        "get", "pods", "-l", "job-name=pytorch-gpu-test", "-o", "jsonpath={.items[0].spec.nodeName}"))
                .contains("t4");
        assertThat(user.run("get", "namespace", "vcluster-gpu").failed(1).err()).contains("NotFound");
        host.atoll("delete", "my-gpu-vcluster", "-n", "vcluster-gpu").ok();
        host.hostKubectl(version)
                .run("delete", "namespace", "vcluster-gpu", "--timeout=60s")
                .ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.34", "1.35"})
    void checksAGpuOnTheHost(String version) {
        Kubectl host = SharedHost.plain().hostKubectl(version);
        host.run("apply", "-f", FILES.resolve("host-gpu-check.yaml").toString()).ok();
        host.run("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/gpu-check", "--timeout=60s")
                .ok();
        assertThat(host.ok("logs", "gpu-check")).containsAnyOf("visible: ", "GPU ");
        assertThat(List.of(host.ok("get", "events", "-o", "jsonpath={.items[*].message}"))
                        .getFirst())
                .contains("not pulled");
        host.run("delete", "pod", "gpu-check").ok();
    }
}
