package io.atoll.apiserver.registry;

import io.atoll.model.GroupVersionKind;
import java.util.List;

/**
 * A subresource as discovery shows it. Immutable.
 *
 * @param name after the slash, e.g. {@code status}
 * @param kind the kind that it reads and writes
 */
public record Subresource(String name, GroupVersionKind kind, List<String> verbs) {
    public Subresource {
        verbs = List.copyOf(verbs);
    }
}
