package io.atoll.node.runtime;

import io.atoll.model.pod.LogOptions;
import io.atoll.node.Collected;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ContainerLogTest {
    private static final Instant NOW = Instant.parse("2026-12-01T15:04:05.5Z");

    @TempDir
    Path dir;

    @Test
    void sizeAndNumberOfFilesAreBounded() throws IOException {
        try (ContainerLog log = new ContainerLog(dir, 500, 3, () -> NOW)) {
            for (int i = 0; i < 100; i++) {
                log.append(false, bytes("line " + i + "\n"));
            }
        }
        assertThat(LogReader.fileNumbers(dir)).hasSize(3);
        for (int number : LogReader.fileNumbers(dir)) {
            assertThat(Files.size(LogReader.file(dir, number))).isLessThanOrEqualTo(500);
        }
        assertThat(read(-1)).endsWith("line 98\nline 99\n");
    }

    @Test
    void aLongLineIsWrittenInPartsAndReadAsOne() throws IOException {
        String line = "x".repeat(40_000);
        try (ContainerLog log = new ContainerLog(dir, 1 << 20, 3, () -> NOW)) {
            log.append(false, bytes(line + "\nshort"));
        }
        assertThat(read(-1)).isEqualTo(line + "\nshort\n");
        assertThat(Files.readString(LogReader.file(dir, 1))).startsWith("2026-12-01T15:04:05.500000000Z stdout P xxx");
    }

    @Test
    void aTornLastLineIsSkippedAndTheLogGoesOn() throws IOException {
        try (ContainerLog log = new ContainerLog(dir, 1 << 20, 3, () -> NOW)) {
            log.append(false, bytes("whole\n"));
        }
        Files.writeString(LogReader.file(dir, 1), "2026-12-01T1", StandardOpenOption.APPEND);
        try (ContainerLog log = new ContainerLog(dir, 1 << 20, 3, () -> NOW)) {
            log.append(true, bytes("after\n"));
        }
        assertThat(read(-1)).isEqualTo("whole\nafter\n");
        assertThat(read(1)).isEqualTo("after\n");
    }

    private String read(long tail) throws IOException {
        Collected text = new Collected();
        new LogReader(dir, null, new LogOptions("", false, false, false, tail, -1, null), text).copy();
        return text.text();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
