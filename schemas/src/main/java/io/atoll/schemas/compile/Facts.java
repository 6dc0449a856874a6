package io.atoll.schemas.compile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts about types and fields, read from tab-separated tables: a line without indent names a type, an indented one a
 * field of it, both followed by facts as {@code key} or {@code key=value}. Later files add to earlier ones.
 */
final class Facts {
    /** The facts of one type. */
    static final class TypeFacts {
        final List<String> words = new ArrayList<>();
        final Map<String, Map<String, String>> fields = new LinkedHashMap<>();

        boolean has(String word) {
            return words.contains(word);
        }

        /** Values of the words that start with {@code key=}. */
        List<String> values(String key) {
            return words.stream()
                    .filter(word -> word.startsWith(key + "="))
                    .map(word -> word.substring(key.length() + 1))
                    .toList();
        }
    }

    private final Map<String, TypeFacts> types = new LinkedHashMap<>();

    static Facts read(List<Path> files) throws IOException {
        Facts facts = new Facts();
        for (Path file : files) {
            facts.add(Files.readAllLines(file));
        }
        return facts;
    }

    private void add(List<String> lines) {
        @Nullable TypeFacts type = null;
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> cells = List.of(line.split("\t", -1));
            if (!line.startsWith("\t")) {
                type = types.computeIfAbsent(cells.getFirst(), name -> new TypeFacts());
                type.words.addAll(cells.subList(1, cells.size()));
            } else if (type != null) {
                Map<String, String> field = type.fields.computeIfAbsent(cells.get(1), name -> new LinkedHashMap<>());
                for (String cell : cells.subList(2, cells.size())) {
                    int equals = cell.indexOf('=');
                    field.put(
                            equals < 0 ? cell : cell.substring(0, equals),
                            equals < 0 ? "" : cell.substring(equals + 1));
                }
            }
        }
    }

    /** The facts of a type; none when the tables do not name it. */
    TypeFacts of(String definition) {
        return types.getOrDefault(definition, new TypeFacts());
    }

    /** Types that the tables describe whole, with the numbers and shapes of their fields. */
    List<String> declared() {
        return types.entrySet().stream()
                .filter(type -> type.getValue().has("declared"))
                .map(Map.Entry::getKey)
                .toList();
    }
}
