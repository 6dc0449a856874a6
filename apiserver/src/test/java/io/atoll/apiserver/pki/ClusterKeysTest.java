package io.atoll.apiserver.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClusterKeysTest {
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    Path folder = Path.of(".");

    @Test
    void areMadeOnceAndReadBack() throws Exception {
        Path directory = folder.resolve("deep/pki");
        ClusterKeys made = ClusterKeys.open(directory, "team-a", SubjectNames.standard(), CLOCK);
        ClusterKeys read = ClusterKeys.open(directory, "other", SubjectNames.standard(), CLOCK);
        assertThat(read.authority().certificate()).isEqualTo(made.authority().certificate());
        assertThat(read.serving()).isEqualTo(made.serving());
        assertThat(read.serviceAccount().getPublic())
                .isEqualTo(made.serviceAccount().getPublic());
        assertThat(read.serviceAccount().getPrivate())
                .isEqualTo(made.serviceAccount().getPrivate());
        made.serving().certificate().verify(read.authority().certificate().getPublicKey());
    }

    @Test
    void onlyTheOwnerMayReadThem() throws IOException {
        Path directory = folder.resolve("pki");
        ClusterKeys.open(directory, "a", SubjectNames.standard(), CLOCK);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        try (var files = Files.list(directory)) {
            assertThat(files)
                    .hasSize(1)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void whatACrashLeftHalfMadeIsMadeAnew() throws IOException {
        Path half = Files.createDirectory(folder.resolve("pki")).resolve("keys.pem.making");
        Files.writeString(half, "half");
        ClusterKeys.open(folder.resolve("pki"), "a", SubjectNames.standard(), CLOCK);
        assertThat(half).doesNotExist();
        assertThat(ClusterKeys.load(folder.resolve("pki"), CLOCK)).isNotNull();
    }

    @Test
    void brokenKeysAreNamed() throws IOException {
        Path directory = folder.resolve("pki");
        ClusterKeys.open(directory, "a", SubjectNames.standard(), CLOCK);
        Path file = directory.resolve("keys.pem");
        Files.writeString(file, Files.readString(file).replace("BEGIN PRIVATE KEY", "BEGIN NONSENSE"));
        assertThatThrownBy(() -> ClusterKeys.load(directory, CLOCK))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("PRIVATE KEY");
    }

    @Test
    void aNewServingCertificateSpeaksForOtherNames() throws Exception {
        Path directory = folder.resolve("pki");
        ClusterKeys before = ClusterKeys.open(directory, "a", SubjectNames.standard(), CLOCK);
        before.withServing(
                directory, SubjectNames.standard().plus(new SubjectNames(Set.of("a.example"), Set.of("10.0.0.1"))));
        X509Certificate serving = ClusterKeys.load(directory, CLOCK).serving().certificate();
        assertThat(serving.getSubjectAlternativeNames().toString())
                .contains("a.example", "10.0.0.1", "127.0.0.1", "kubernetes.default.svc");
        serving.verify(before.authority().certificate().getPublicKey());
        assertThat(serving.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    }

    @Test
    void writesAnAdminKubeconfig() throws Exception {
        ClusterKeys keys = ClusterKeys.generate("a", SubjectNames.standard(), CLOCK);
        String text = keys.adminKubeconfig("atoll_a_\"x\"", "https://127.0.0.1:6443");
        assertThat(text).contains("current-context: \"atoll_a_\\\"x\\\"\"", "server: \"https://127.0.0.1:6443\"");
        String data = text.lines()
                .filter(line -> line.contains("client-certificate-data: "))
                .findFirst()
                .orElseThrow()
                .replace("client-certificate-data: ", "")
                .strip();
        X509Certificate admin = Pem.certificate(
                new String(Base64.getDecoder().decode(data), java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(admin.getSubjectX500Principal().getName()).isEqualTo("CN=kubernetes-admin,O=system:masters");
        admin.verify(keys.authority().certificate().getPublicKey());
    }
}
