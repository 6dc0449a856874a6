package io.atoll.model.patch;

import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schema.ListType;
import io.atoll.model.schema.Schema.MapType;
import io.atoll.model.schema.Schema.Presence;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.StringNode;

/** A Deployment cut down to one field of each sort. */
final class WorkloadSchema {
    private WorkloadSchema() {}

    static Schema deployment() {
        return Schema.builder(Schema.Type.OBJECT)
                .property("apiVersion", string())
                .property("kind", string())
                .property("metadata", metadata())
                .property("spec", spec())
                .property(
                        "status",
                        Schema.builder(Schema.Type.OBJECT)
                                .presence(Presence.ALWAYS)
                                .property("replicas", integer())
                                .build())
                .build();
    }

    private static Schema metadata() {
        return Schema.builder(Schema.Type.OBJECT)
                .presence(Presence.ALWAYS)
                .property("name", string())
                .property("namespace", string())
                .property("uid", string())
                .property("labels", strings())
                .property("annotations", strings())
                .property(
                        "finalizers",
                        Schema.builder(Schema.Type.ARRAY)
                                .items(string())
                                .listType(ListType.SET)
                                .patchStrategies(Set.of("merge"))
                                .build())
                .build();
    }

    private static Schema spec() {
        return Schema.builder(Schema.Type.OBJECT)
                .presence(Presence.ALWAYS)
                .property("replicas", integer())
                .property("paused", Schema.builder(Schema.Type.BOOLEAN).build())
                .property(
                        "selector",
                        Schema.builder(Schema.Type.OBJECT)
                                .mapType(MapType.ATOMIC)
                                .property("matchLabels", strings())
                                .build())
                .property(
                        "strategy",
                        Schema.builder(Schema.Type.OBJECT)
                                .presence(Presence.ALWAYS)
                                .patchStrategies(Set.of("retainKeys"))
                                .property("type", string())
                                .property("rollingUpdate", strings())
                                .build())
                .property("containers", containers())
                .property(
                        "tolerations",
                        Schema.builder(Schema.Type.ARRAY).items(strings()).build())
                .build();
    }

    private static Schema containers() {
        Schema ports = Schema.builder(Schema.Type.ARRAY)
                .listType(ListType.MAP)
                .listMapKeys(List.of("containerPort", "protocol"))
                .patchStrategies(Set.of("merge"))
                .patchMergeKey("containerPort")
                .items(Schema.builder(Schema.Type.OBJECT)
                        .property("containerPort", integer())
                        .property(
                                "protocol",
                                Schema.builder(Schema.Type.STRING)
                                        .defaultValue(StringNode.valueOf("TCP"))
                                        .build())
                        .property("name", string())
                        .build())
                .build();
        return Schema.builder(Schema.Type.ARRAY)
                .listType(ListType.MAP)
                .listMapKeys(List.of("name"))
                .patchStrategies(Set.of("merge"))
                .patchMergeKey("name")
                .items(Schema.builder(Schema.Type.OBJECT)
                        .property("name", string())
                        .property("image", string())
                        .property(
                                "args",
                                Schema.builder(Schema.Type.ARRAY)
                                        .items(string())
                                        .build())
                        .property("resources", strings())
                        .property("ports", ports)
                        .build())
                .build();
    }

    private static Schema string() {
        return Schema.builder(Schema.Type.STRING).build();
    }

    private static Schema integer() {
        return Schema.builder(Schema.Type.INTEGER).build();
    }

    private static Schema strings() {
        return Schema.builder(Schema.Type.OBJECT).additionalProperties(string()).build();
    }
}
