package io.atoll.syncer.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The guide's tables have the keys of {@code keys.txt}, all of them and no others. */
class ConfigKeysGuideTest {
    private static final Path GUIDE = Path.of("../docs/guide/tenant-configuration.md");

    @ParameterizedTest
    @CsvSource({"yes, Keys that act", "ignored, Keys without effect", "no, Keys that are refused"})
    void theTableHasTheKeysOfItsUse(String use, String title) throws IOException {
        String guide = Files.readString(GUIDE);
        String section = guide.substring(guide.indexOf("## " + title)).substring(3);
        int end = section.indexOf("\n## ");
        List<String> told = section.substring(0, end < 0 ? section.length() : end)
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        assertThat(told).containsExactlyInAnyOrderElementsOf(keys(use));
    }

    private static List<String> keys(String use) throws IOException {
        try (InputStream in = Objects.requireNonNull(ConfigKeys.class.getResourceAsStream("keys.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.split(" ", 4))
                    .filter(parts -> parts[2].equals(use))
                    .map(parts -> parts[0])
                    .toList();
        }
    }
}
