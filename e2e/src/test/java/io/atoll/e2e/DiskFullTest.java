package io.atoll.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A disk that fills up, in a mount namespace of its own so that the machine's disks stay as they are. */
class DiskFullTest {
    private static final String SCRIPT = """
            set -u
            mkdir -p "$HOME/.atoll"
            mount -t tmpfs -o size=24m tmpfs "$HOME/.atoll" || exit 90
            "$ATOLL" up --detach --nodes 1:cpu >&2 || exit 91
            "$ATOLL" create before --connect=false >&2 || exit 92
            head -c 64m /dev/zero > "$HOME/.atoll/filler" 2>/dev/null
            "$ATOLL" create full --connect=false > "$HOME/full.out" 2> "$HOME/full.err"
            echo "create on a full disk: $?"
            rm "$HOME/.atoll/filler"
            "$ATOLL" create after --connect=false >&2 || exit 93
            "$ATOLL" connect before -- "$KUBECTL" get namespaces -o name
            "$ATOLL" list -o json
            "$ATOLL" down >&2
            """;

    @Test
    void aFullDiskIsOneClearLineAndHeals() throws Exception {
        try (EmbeddedHost machine = EmbeddedHost.fresh()) {
            List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
            if (machine.shell().run("", List.of("unshare", "--mount", "true")).exit() != 0) {
                command.add("--map-root-user"); // without the right to mount: in a user namespace
            }
            command.addAll(List.of("sh", "-c", SCRIPT));
            Shell.Result result = machine.shell()
                    .with("ATOLL", EmbeddedHost.REPOSITORY.resolve("atoll").toString())
                    .with("KUBECTL", Tools.kubectl("1.35").toString())
                    .run("", command)
                    .ok();
            assertThat(result.out())
                    .contains("create on a full disk: 1")
                    .contains("namespace/default")
                    .contains("\"after\"")
                    .doesNotContain("\"full\"");
            String said = java.nio.file.Files.readString(Path.of(machine.home().toString(), "full.err"));
            assertThat(said.lines().filter(line -> line.startsWith("error: "))).hasSize(1);
            assertThat(said).containsIgnoringCase("full");
        }
    }
}
