package io.atoll.store.sqlite;

import io.atoll.store.Store.Entry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Kills a process of 16 writers again and again: what it was told is durable is there afterwards, and whole. */
class SqliteStoreKillTest {
    private static final int ROUNDS = 10;

    @TempDir
    Path folder;

    @Test
    void everyAcknowledgedChangeSurvivesSigkill() throws Exception {
        Path file = folder.resolve("store.db");
        List<String> acknowledged = new ArrayList<>();
        long revision = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // from the first lines to well past a checkpoint of the write-ahead log
            acknowledged.addAll(writeAndKill(file, round, 50 + new Random(round).nextInt(1_500)));
            try (SqliteStore store = SqliteStore.open(file)) {
                assertThat(store.revision())
                        .as("revision after round %s", round)
                        .isGreaterThanOrEqualTo(revision);
                revision = store.revision();
                for (String line : acknowledged) {
                    String[] words = line.split(" ", -1);
                    revision = Math.max(revision, Long.parseLong(words[2]));
                    byte[] value = KilledWriters.value(Long.parseLong(words[3]));
                    if (words[0].equals("pair")) {
                        assertHolds(store, words[1] + "/left", value, Long.parseLong(words[2]));
                        assertHolds(store, words[1] + "/right", value, Long.parseLong(words[2]) + 1);
                    } else {
                        assertHolds(store, words[1], value, Long.parseLong(words[2]));
                    }
                }
                assertThat(store.revision()).isGreaterThanOrEqualTo(revision);
                assertNoHalfPair(store);
                assertThat(store.list("/", 0, "", 0).entries()).hasSize((int) store.revision());
            }
        }
    }

    private static void assertHolds(SqliteStore store, String key, byte[] value, long revision) {
        Entry entry = store.get(key).orElseThrow(() -> new AssertionError(key + " is gone"));
        assertThat(entry.value()).as(key).isEqualTo(value);
        assertThat(entry.modRevision()).as(key).isEqualTo(revision);
    }

    private static void assertNoHalfPair(SqliteStore store) {
        List<String> keys =
                store.list("/", 0, "", 0).entries().stream().map(Entry::key).toList();
        for (String key : keys) {
            if (key.endsWith("/left")) {
                assertThat(store.get(key.replace("/left", "/right"))).isPresent();
            }
            if (key.endsWith("/right")) {
                assertThat(store.get(key.replace("/right", "/left"))).isPresent();
            }
        }
    }

    private static List<String> writeAndKill(Path file, int round, int lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriters.class.getName(),
                        file.toString(),
                        String.valueOf(round))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> acknowledged = new ArrayList<>();
        try (Reader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            StringBuilder line = new StringBuilder();
            // the kill may cut the last line: nobody was told that one
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c != '\n') {
                    line.append((char) c);
                    continue;
                }
                acknowledged.add(line.toString());
                line.setLength(0);
                if (acknowledged.size() == lines) {
                    process.toHandle().destroyForcibly(); // Process.destroyForcibly closes its output
                }
            }
        }
        process.waitFor();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(lines);
        return acknowledged;
    }
}
