package io.atoll.scheduler.grouper;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What grouping needs to know beside a pod and its owners. */
public interface Surroundings {
    boolean priorityClassExists(String name);

    /** An object by kind, whatever its version; empty also when the kind is not served. */
    Optional<ObjectNode> find(String group, String kind, String namespace, String name);

    /** The pods of a namespace that carry a label. */
    List<ObjectNode> podsLabelled(String namespace, String key, String value);
}
