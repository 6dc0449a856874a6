package io.atoll.apiserver.discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Documents that depend on nothing but what is served, made once for all clusters that serve the same. Any thread.
 *
 * <p>Holds the most recently used {@code entriesMax}; a dropped document is made again when it is next asked for.
 */
public final class SharedDocuments<K, V> {
    private final Map<K, V> entries;

    public SharedDocuments(int entriesMax) {
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > entriesMax;
            }
        };
    }

    /** The document for a key; made by the caller when there is none, without keeping others waiting. */
    public V get(K key, Function<K, V> make) {
        synchronized (entries) {
            V present = entries.get(key);
            if (present != null) {
                return present;
            }
        }
        V made = make.apply(key);
        synchronized (entries) {
            V raced = entries.putIfAbsent(key, made);
            return raced == null ? made : raced;
        }
    }
}
