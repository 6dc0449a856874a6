package io.atoll.node.runtime;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Mount points that the machine has and lacks; where namespaces are not allowed, only that none is tried. */
class MountScriptTest {
    @TempDir
    Path dir;

    @Test
    void everyMountIsAtItsPathAndTheMachineStaysAsItWas() throws Exception {
        Path volume = Files.createDirectories(dir.resolve("volume"));
        Files.writeString(volume.resolve("file"), "content\n");
        Path attempt = Files.createDirectories(dir.resolve("attempt"));
        Path script = MountScript.write(
                attempt,
                List.of(
                        new Mount(volume, Path.of("/atoll-top"), true),
                        new Mount(volume, Path.of("/etc/atoll-below/deep"), false),
                        new Mount(volume.resolve("file"), Path.of("/usr/share/atoll-file"), false)),
                Path.of("/atoll-work"));
        assertThat(Path.of("/atoll-top")).doesNotExist();
        Toolbox tools = Toolbox.find(dir);
        List<String> command = new ArrayList<>(tools.unshare());
        command.addAll(tools.script(
                script,
                List.of(
                        "/bin/sh",
                        "-c",
                        "pwd; cat /atoll-top/file /etc/atoll-below/deep/file /usr/share/atoll-file; cat /etc/passwd > here;"
                                + " touch /atoll-top/new 2> /dev/null; cmp /etc/passwd here && echo same")));
        if (tools.namespaces()) {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(output)
                    .startsWith("/atoll-work\ncontent\ncontent\ncontent\n")
                    .endsWith("same\n");
        }
        assertThat(Path.of("/atoll-top")).doesNotExist();
        assertThat(Path.of("/atoll-work")).doesNotExist();
        assertThat(Path.of("/etc/atoll-below")).doesNotExist();
        assertThat(Path.of("/usr/share/atoll-file")).doesNotExist();
    }
}
