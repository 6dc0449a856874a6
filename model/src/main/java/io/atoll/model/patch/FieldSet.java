package io.atoll.model.patch;

import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A set of field paths of one object: what {@code fieldsV1} writes. A node is a path; it may be in the set itself
 * ({@link #member}) and lead to longer ones. Elements of paths are {@link PathElement} texts. Immutable once it has
 * left its builder; any thread.
 */
public final class FieldSet {
    public static final FieldSet EMPTY = new FieldSet();

    private static final Comparator<String> ORDER =
            Comparator.comparingInt(PathElement::rank).thenComparing(Comparator.naturalOrder());

    private boolean member;
    private final TreeMap<String, FieldSet> children = new TreeMap<>(ORDER);

    FieldSet() {}

    /** Fields at the top and below, by dotted names: {@code status}, {@code metadata.labels}. */
    public static FieldSet of(String... paths) {
        FieldSet set = new FieldSet();
        for (String path : paths) {
            FieldSet node = set;
            for (String field : path.split("\\.")) {
                node = node.descend(PathElement.field(field));
            }
            node.member = true;
        }
        return set;
    }

    /** Reads the {@code FieldsV1} form. */
    public static FieldSet parse(JsonNode fields) {
        FieldSet set = new FieldSet();
        for (Map.Entry<String, JsonNode> entry : fields.properties()) {
            if (entry.getKey().equals(".")) {
                set.member = true;
                continue;
            }
            FieldSet child = parse(entry.getValue());
            if (entry.getValue().isEmpty()) {
                child.member = true;
            }
            set.children.put(PathElement.canonical(entry.getKey()), child);
        }
        return set;
    }

    /** Writes the {@code FieldsV1} form. */
    public ObjectNode toTree() {
        ObjectNode tree = Json.object();
        if (member && !children.isEmpty()) {
            tree.putObject(".");
        }
        children.forEach((element, child) -> tree.set(element, child.toTree()));
        return tree;
    }

    public boolean isEmpty() {
        return !member && children.isEmpty();
    }

    /** Whether the path that led here is in the set. */
    boolean member() {
        return member;
    }

    @Nullable
    FieldSet child(String element) {
        return children.get(element);
    }

    Map<String, FieldSet> children() {
        return Collections.unmodifiableMap(children);
    }

    /** For builders: the node one step down. */
    FieldSet descend(String element) {
        return children.computeIfAbsent(element, _ -> new FieldSet());
    }

    /** For builders: takes this path in. */
    void addSelf() {
        member = true;
    }

    /** For builders: adds a child, unless it holds nothing. */
    void put(String element, FieldSet child) {
        if (!child.isEmpty()) {
            children.put(element, child);
        }
    }

    public FieldSet union(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member || other.member;
        result.children.putAll(children);
        other.children.forEach((element, child) -> result.children.merge(element, child, FieldSet::union));
        return result;
    }

    public FieldSet intersection(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && other.member;
        children.forEach((element, child) -> {
            FieldSet match = other.children.get(element);
            if (match != null) {
                result.put(element, child.intersection(match));
            }
        });
        return result;
    }

    /** The paths here that are not there; paths below those stay. */
    public FieldSet difference(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((element, child) -> {
            FieldSet match = other.children.get(element);
            result.put(element, match == null ? child : child.difference(match));
        });
        return result;
    }

    /** The paths here that are neither there nor below one there. */
    public FieldSet without(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member;
        children.forEach((element, child) -> {
            FieldSet match = other.children.get(element);
            if (match == null) {
                result.put(element, child);
            } else if (!match.member) {
                result.put(element, child.without(match));
            }
        });
        return result;
    }

    /** The paths as messages show them, e.g. {@code .spec.containers[name="a"].image}. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String path, List<String> paths) {
        if (member) {
            paths.add(path);
        }
        children.forEach((element, child) -> child.collect(path + PathElement.display(element), paths));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSet set && member == set.member && children.equals(set.children);
    }

    @Override
    public int hashCode() {
        return 31 * children.hashCode() + Boolean.hashCode(member);
    }

    @Override
    public String toString() {
        return paths().toString();
    }
}
