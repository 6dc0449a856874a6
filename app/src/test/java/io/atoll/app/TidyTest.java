package io.atoll.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Prose that no compiler reads, read here: names of classes and links in the documentation must be true. */
class TidyTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CLASS_NAME = Pattern.compile("`((?:[a-z]+\\.)+[A-Z][A-Za-z]+)(?:\\.[a-z][A-Za-z]*)?`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    @Test
    void classesNamedInTheDocumentationExist() throws IOException {
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (Path page : pages()) {
            Matcher names = CLASS_NAME.matcher(Files.readString(page));
            while (names.find()) {
                String name = names.group(1);
                String module = name.substring(0, name.indexOf('.'));
                if (!Files.isDirectory(ROOT.resolve(module))) {
                    continue; // somebody else's class, or a field path
                }
                seen++;
                String file = "java/io/atoll/" + name.replace('.', '/') + ".java";
                if (Stream.of("main", "test")
                        .noneMatch(set -> Files.exists(
                                ROOT.resolve(module).resolve("src").resolve(set).resolve(file)))) {
                    missing.add(ROOT.relativize(page) + ": " + name);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isGreaterThan(40);
    }

    @Test
    void linksInTheDocumentationLeadSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher links = LINK.matcher(Files.readString(page));
            while (links.find()) {
                if (!Files.exists(page.resolveSibling(links.group(1)))) {
                    dead.add(ROOT.relativize(page) + ": " + links.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }
}
