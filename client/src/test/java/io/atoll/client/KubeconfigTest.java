package io.atoll.client;

import io.atoll.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class KubeconfigTest {
    private static final String FOREIGN = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: prod
              cluster:
                server: https://prod:6443
                certificate-authority: ca.crt
                extensions:
                - name: x
                  extension: {a: 1}
            users:
            - name: me
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/v1
                  command: gke-gcloud-auth-plugin
                  args: ["--x", "1"]
            contexts:
            - name: prod
              context: {cluster: prod, user: me, namespace: web}
            current-context: prod
            custom: {kept: true}
            """;

    @TempDir
    Path folder;

    @Test
    void keepsWhatItDoesNotKnow() {
        Kubeconfig config = Kubeconfig.parse(FOREIGN);
        config.putCluster("c", Json.object().put("server", "https://localhost:1"));
        config.putUser("u", Json.object().put("token", "t"));
        config.putContext("atoll_a_b", "c", "u", "");
        config.useContext("atoll_a_b");

        String text = config.text();
        assertThat(text)
                .contains("gke-gcloud-auth-plugin")
                .contains("kept: true")
                .contains("extension:");
        Kubeconfig again = Kubeconfig.parse(text);
        assertThat(again.currentContext()).isEqualTo("atoll_a_b");
        assertThat(again.contextNames()).containsExactly("prod", "atoll_a_b");
        assertThat(again.context("prod").orElseThrow().path("namespace").asString())
                .isEqualTo("web");
    }

    @Test
    void removesAContextWithWhatOnlyItUses() {
        Kubeconfig config = Kubeconfig.parse(FOREIGN);
        config.putCluster("c", Json.object().put("server", "https://localhost:1"));
        config.putContext("second", "c", "me", "default");
        config.useContext("second");
        config.removeContext("second");

        assertThat(config.cluster("c")).isEmpty();
        assertThat(config.user("me")).isPresent();
        assertThat(config.currentContext()).isEmpty();
    }

    @Test
    void readsAListOfFilesAsOneWhereTheFirstWins() throws IOException {
        Path first = folder.resolve("a/config");
        Path second = folder.resolve("b/config");
        Files.createDirectories(first.getParent());
        Files.createDirectories(second.getParent());
        Files.writeString(first, FOREIGN);
        Files.writeString(
                second,
                FOREIGN.replace("https://prod:6443", "https://other")
                        .replace("- name: prod\n  context", "- name: two\n  context"));

        List<Path> files = Kubeconfig.files(first + ":" + folder.resolve("none") + ":" + second, folder);
        Kubeconfig config = Kubeconfig.load(files);

        assertThat(config.cluster("prod").orElseThrow().path("server").asString())
                .isEqualTo("https://prod:6443");
        assertThat(config.cluster("prod")
                        .orElseThrow()
                        .path("certificate-authority")
                        .asString())
                .isEqualTo(folder.resolve("a/ca.crt").toString());
        assertThat(config.contextNames()).containsExactly("prod", "two");
        assertThat(Kubeconfig.fileToWrite(files)).isEqualTo(first);
    }

    @Test
    void writesAtomicallyForItsOwnerOnlyThroughALink() throws IOException {
        Path real = folder.resolve("real");
        Path link = folder.resolve("link");
        Files.writeString(real, "");
        Files.createSymbolicLink(link, real);

        Kubeconfig config = Kubeconfig.read(link);
        config.useContext("x");
        config.write(link);

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(Kubeconfig.read(real).currentContext()).isEqualTo("x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-------");
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(real, link);
        }
    }

    @Test
    void namesTheFileThatDoesNotParse() throws IOException {
        Path bad = folder.resolve("bad");
        Files.writeString(bad, "a: [");
        assertThatThrownBy(() -> Kubeconfig.read(bad)).hasMessageContaining(bad.toString());
    }
}
