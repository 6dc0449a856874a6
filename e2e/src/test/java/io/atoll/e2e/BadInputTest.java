package io.atoll.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mistakes get one clear line and the right exit code, and leave nothing behind. */
class BadInputTest {
    static Stream<Arguments> mistakes() {
        return Stream.of(
                row(
                        "unknown --set key",
                        1,
                        "sync.toHost.pods.enabledd",
                        "create",
                        "bad",
                        "--set",
                        "sync.toHost.pods.enabledd=true"),
                row("--set without a value", 1, "no-equals", "create", "bad", "--set", "no-equals"),
                row("upper case name", 2, "Bad_Name", "create", "Bad_Name"),
                row("empty name", 2, "name", "create", ""),
                row("no name", 2, "NAME", "create"),
                row("unknown option", 2, "--nope", "create", "x", "--nope"),
                row("unknown command", 2, "nope", "nope"),
                row("missing tenant to connect to", 1, "no-such", "connect", "no-such"),
                row("missing tenant to delete", 1, "no-such", "delete", "no-such"),
                row("missing values file", 1, "no-such.yaml", "create", "bad", "-f", "no-such.yaml"),
                row("bad namespace", 2, "Name Space", "create", "bad", "-n", "Name Space"));
    }

    private static Arguments row(String name, int exit, String mentions, String... command) {
        return Arguments.of(Named.of(name, List.of(command)), exit, mentions);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void oneLineAndNothingHalfMade(List<String> command, int exit, String mentions) {
        EmbeddedHost host = SharedHost.plain();
        Shell.Result result = host.atoll(command.toArray(String[]::new)).failed(exit);
        assertThat(result.err().lines().filter(line -> line.startsWith("error: ")))
                .hasSize(1);
        assertThat(result.err()).contains(mentions).doesNotContain("\tat ");
        assertThat(host.atoll("list", "-o", "json").ok().out()).doesNotContain("\"bad\"");
        assertThat(host.hostKubectl("1.35").ok("get", "namespaces", "-o", "name"))
                .doesNotContain("vcluster-bad");
    }

    @Test
    void badYamlNamesFileAndLine() throws IOException {
        EmbeddedHost host = SharedHost.plain();
        Path file = Files.writeString(host.home().resolve("bad.yaml"), "sync:\n  toHost: [\n");
        Shell.Result result = host.atoll("create", "bad", "-f", file.toString()).failed(1);
        assertThat(result.err()).contains("bad.yaml").contains("line");
        assertThat(host.atoll("list", "-o", "json").ok().out()).doesNotContain("\"bad\"");
    }

    @Test
    void takenName() {
        EmbeddedHost host = SharedHost.plain();
        host.atoll("create", "taken", "--connect=false").ok();
        assertThat(host.atoll("create", "taken", "--connect=false").failed(1).err())
                .contains("taken")
                .contains("--upgrade");
        host.tenantKubectl("1.35", "taken").run("get", "namespaces").ok();
        host.atoll("delete", "taken").ok();
    }

    @Test
    void unknownCommand() {
        assertThat(SharedHost.plain().atoll("lst").failed(2).err()).contains("unknown command 'lst'");
    }

    @Test
    void badNodeSpec() {
        try (EmbeddedHost host = EmbeddedHost.fresh()) {
            assertThat(host.atoll("up", "--detach", "--nodes", "2:T4").failed(1).err())
                    .contains("2:T4");
            assertThat(host.atoll("list").failed(1).err()).contains("atoll up");
        }
    }

    @Test
    void portInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                EmbeddedHost host = EmbeddedHost.fresh()) {
            Shell.Result result = host.atoll("up", "--detach", "--port", String.valueOf(taken.getLocalPort()))
                    .failed(1);
            assertThat(result.err())
                    .contains(String.valueOf(taken.getLocalPort()))
                    .contains("in use");
            host.atoll("up", "--detach", "--port", "0").ok();
        }
    }

    @Test
    void connectRunsACommandAndPassesItsExitCodeOn() {
        EmbeddedHost host = SharedHost.plain();
        host.atoll("create", "runner", "--connect=false").ok();
        host.atoll("connect", "runner", "--", "sh", "-c", "test -n \"$KUBECONFIG\"; exit 7")
                .failed(7);
        assertThat(host.atoll("connect", "runner", "--", Tools.kubectl("1.34").toString(), "get", "ns", "-o", "name")
                        .ok()
                        .out())
                .contains("namespace/default");
        host.atoll("delete", "runner").ok();
    }
}
