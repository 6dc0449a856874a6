package io.atoll.model;

import java.util.List;

/**
 * One subresource of a served resource, as discovery shows it. Immutable.
 *
 * @param name after the slash, e.g. {@code scale}
 * @param kind what it reads or writes, e.g. {@code autoscaling/v1, Kind=Scale}
 * @param verbs in discovery's order
 */
public record Subresource(String name, GroupVersionKind kind, List<String> verbs) {
    public Subresource {
        verbs = List.copyOf(verbs);
    }
}
