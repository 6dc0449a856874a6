package io.atoll.apiserver.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The columns of all built-in kinds, by group and kind. Immutable; built once. */
final class BuiltInColumns {
    private static final Map<String, List<Column>> BY_KIND = build();

    /** Receives a kind's columns. */
    @FunctionalInterface
    interface Registry {
        void add(String groupAndKind, Column... columns);
    }

    private BuiltInColumns() {}

    /** Empty when the kind has none of its own. */
    static List<Column> find(String group, String kind) {
        return BY_KIND.getOrDefault(group + "/" + kind, List.of());
    }

    private static Map<String, List<Column>> build() {
        Map<String, List<Column>> columns = new HashMap<>();
        Registry registry = (groupAndKind, of) -> columns.put(groupAndKind, List.of(of));
        CoreColumns.addTo(registry);
        WorkloadColumns.addTo(registry);
        NetworkColumns.addTo(registry);
        StorageColumns.addTo(registry);
        PolicyColumns.addTo(registry);
        return Map.copyOf(columns);
    }
}
