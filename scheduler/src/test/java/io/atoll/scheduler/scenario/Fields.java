package io.atoll.scheduler.scenario;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of one JSON object. Names match without regard to case; {@link #close} fails on a field nobody asked for,
 * so a misspelt field never passes for an absent one.
 */
final class Fields implements AutoCloseable {
    private final String where;
    private final Map<String, Map.Entry<String, JsonNode>> left = new HashMap<>();

    Fields(String where, JsonNode node) {
        this.where = where;
        if (!(node instanceof ObjectNode object)) {
            throw new IllegalArgumentException(where + ": not an object");
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (left.put(field.getKey().toLowerCase(Locale.ROOT), field) != null) {
                throw new IllegalArgumentException(where + ": field " + field.getKey() + " is given twice");
            }
        }
    }

    String where() {
        return where;
    }

    boolean has(String name) {
        Map.Entry<String, JsonNode> field = left.get(name.toLowerCase(Locale.ROOT));
        return field != null && !field.getValue().isNull();
    }

    private Optional<JsonNode> take(String name) {
        Map.Entry<String, JsonNode> field = left.remove(name.toLowerCase(Locale.ROOT));
        return field == null || field.getValue().isNull() ? Optional.empty() : Optional.of(field.getValue());
    }

    String text(String name, String absent) {
        return take(name)
                .map(value -> {
                    check(value.isString(), name, "a string");
                    return value.asString("");
                })
                .orElse(absent);
    }

    String text(String name) {
        String value = text(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(where + ": field " + name + " is missing");
        }
        return value;
    }

    OptionalDouble number(String name) {
        Optional<JsonNode> value = take(name);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        check(value.get().isNumber(), name, "a number");
        return OptionalDouble.of(value.get().asDouble());
    }

    double number(String name, double absent) {
        return number(name).orElse(absent);
    }

    int whole(String name, int absent) {
        double value = number(name, absent);
        if (value != Math.rint(value)) {
            throw new IllegalArgumentException(where + ": field " + name + " is not a whole number");
        }
        return (int) value;
    }

    boolean flag(String name, boolean absent) {
        return take(name)
                .map(value -> {
                    check(value.isBoolean(), name, "true or false");
                    return value.asBoolean();
                })
                .orElse(absent);
    }

    <T> List<T> list(String name, Function<Fields, T> read) {
        List<T> items = new ArrayList<>();
        take(name).ifPresent(value -> {
            check(value.isArray(), name, "a list");
            int index = 0;
            for (JsonNode item : value) {
                try (Fields fields = new Fields(where + ": " + name + "[" + index + "]", item)) {
                    items.add(read.apply(fields));
                }
                index++;
            }
        });
        return items;
    }

    List<String> texts(String name) {
        List<String> items = new ArrayList<>();
        take(name).ifPresent(value -> {
            check(value.isArray(), name, "a list");
            for (JsonNode item : value) {
                check(item.isString(), name, "a list of strings");
                items.add(item.asString(""));
            }
        });
        return items;
    }

    List<Integer> wholes(String name) {
        List<Integer> items = new ArrayList<>();
        take(name).ifPresent(value -> {
            check(value.isArray(), name, "a list");
            for (JsonNode item : value) {
                check(item.isIntegralNumber(), name, "a list of whole numbers");
                items.add(item.asInt());
            }
        });
        return items;
    }

    <T> Map<String, T> map(String name, Function<Fields, T> read) {
        Map<String, T> items = new LinkedHashMap<>();
        take(name).ifPresent(value -> {
            check(value.isObject(), name, "an object");
            for (Map.Entry<String, JsonNode> item : value.properties()) {
                try (Fields fields = new Fields(where + ": " + name + "." + item.getKey(), item.getValue())) {
                    items.put(item.getKey(), read.apply(fields));
                }
            }
        });
        return items;
    }

    Map<String, String> textMap(String name) {
        Map<String, String> items = new LinkedHashMap<>();
        take(name).ifPresent(value -> {
            check(value.isObject(), name, "an object");
            value.properties()
                    .forEach(item -> items.put(item.getKey(), item.getValue().asString()));
        });
        return items;
    }

    Map<String, Integer> countMap(String name) {
        Map<String, Integer> items = new LinkedHashMap<>();
        take(name).ifPresent(value -> {
            check(value.isObject(), name, "an object");
            for (Map.Entry<String, JsonNode> item : value.properties()) {
                check(item.getValue().isIntegralNumber(), name, "an object of whole numbers");
                items.put(item.getKey(), item.getValue().asInt());
            }
        });
        return items;
    }

    <T> Optional<T> object(String name, Function<Fields, T> read) {
        return take(name).map(value -> {
            try (Fields fields = new Fields(where + ": " + name, value)) {
                return read.apply(fields);
            }
        });
    }

    private void check(boolean right, String name, String kind) {
        if (!right) {
            throw new IllegalArgumentException(where + ": field " + name + " is not " + kind);
        }
    }

    /** Fails when a field is left that nobody asked for. */
    @Override
    public void close() {
        if (!left.isEmpty()) {
            List<String> names =
                    left.values().stream().map(Map.Entry::getKey).sorted().toList();
            throw new IllegalArgumentException(where + ": unknown field " + String.join(", ", names));
        }
    }
}
