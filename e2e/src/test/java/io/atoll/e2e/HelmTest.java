package io.atoll.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A chart's whole life with the real helm. */
class HelmTest {
    private static final Path CHART = EmbeddedHost.REPOSITORY.resolve("e2e/src/test/resources/chart");

    @Test
    void installsUpgradesRollsBackAndUninstalls() {
        EmbeddedHost host = SharedHost.plain();
        host.atoll("create", "helm", "--connect=false").ok();
        Kubectl kubectl = host.tenantKubectl("1.35", "helm");

        helm(host, kubectl, "install", "demo", CHART.toString(), "--wait", "--timeout", "90s")
                .ok();
        assertThat(kubectl.ok("get", "configmap", "demo-settings", "-o", "jsonpath={.data.color}"))
                .isEqualTo("red");
        assertThat(kubectl.ok("get", "deployment", "demo", "-o", "jsonpath={.status.readyReplicas}"))
                .isEqualTo("1");
        assertThat(kubectl.ok("get", "service", "demo", "-o", "jsonpath={.spec.clusterIP}"))
                .isNotEmpty();
        assertThat(kubectl.ok("get", "gadgets", "demo", "-o", "jsonpath={.spec.color}"))
                .isEqualTo("red");
        assertThat(kubectl.ok("get", "configmap", "hook-was-here", "-o", "jsonpath={.data.at}"))
                .isEqualTo("install");

        helm(
                        host,
                        kubectl,
                        "upgrade",
                        "demo",
                        CHART.toString(),
                        "--set",
                        "color=blue,replicas=2",
                        "--wait",
                        "--timeout",
                        "90s")
                .ok();
        assertThat(kubectl.ok("get", "configmap", "demo-settings", "-o", "jsonpath={.data.color}"))
                .isEqualTo("blue");
        assertThat(kubectl.ok("get", "deployment", "demo", "-o", "jsonpath={.status.readyReplicas}"))
                .isEqualTo("2");
        assertThat(helm(host, kubectl, "history", "demo").ok().out())
                .contains("superseded")
                .contains("deployed");

        helm(host, kubectl, "rollback", "demo", "1", "--wait", "--timeout", "90s")
                .ok();
        assertThat(kubectl.ok("get", "configmap", "demo-settings", "-o", "jsonpath={.data.color}"))
                .isEqualTo("red");

        helm(host, kubectl, "uninstall", "demo", "--wait", "--timeout", "90s").ok();
        assertThat(kubectl.run("get", "deployment", "demo").failed(1).err()).contains("NotFound");
        host.atoll("delete", "helm").ok();
    }

    private static Shell.Result helm(EmbeddedHost host, Kubectl kubectl, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Tools.helm().toString());
        command.addAll(List.of(arguments));
        return host.shell().with("KUBECONFIG", kubectl.kubeconfig().toString()).run("", command);
    }
}
