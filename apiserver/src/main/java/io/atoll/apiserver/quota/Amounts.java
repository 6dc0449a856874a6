package io.atoll.apiserver.quota;

import io.atoll.model.Quantity;
import io.atoll.model.pod.PodResources;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Quantities by resource name, in order of name. Confined to one thread while it is filled. */
final class Amounts {
    private final TreeMap<String, Quantity> values = new TreeMap<>();

    /** Reads a resource list such as {@code spec.hard}; what is no quantity is left out. */
    static Amounts of(JsonNode list) {
        return of(PodResources.quantities(list));
    }

    static Amounts of(Map<String, Quantity> quantities) {
        Amounts amounts = new Amounts();
        amounts.values.putAll(quantities);
        return amounts;
    }

    Map<String, Quantity> values() {
        return values;
    }

    Quantity get(String resource) {
        return values.getOrDefault(resource, Quantity.ZERO);
    }

    boolean has(String resource) {
        return values.containsKey(resource);
    }

    void put(String resource, Quantity quantity) {
        values.put(resource, quantity);
    }

    void add(String resource, Quantity quantity) {
        values.merge(resource, quantity, Quantity::add);
    }

    void add(Amounts others) {
        others.values.forEach(this::add);
    }

    /** {@code a=1,b=2}. */
    @Override
    public String toString() {
        StringJoiner joined = new StringJoiner(",");
        values.forEach((resource, quantity) -> joined.add(resource + "=" + quantity));
        return joined.toString();
    }
}
