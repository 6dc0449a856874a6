package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.MetadataRules;
import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deployments, ReplicaSets, StatefulSets, DaemonSets, ReplicationControllers: a selector and a pod template. */
record WorkloadStrategy(Kind kind) implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.GENERATION);
    private static final Traits CONTROLLER_TRAITS = Traits.of(Trait.GENERATION, Trait.ORPHANS_BY_DEFAULT);

    /** Which of them. */
    enum Kind {
        DEPLOYMENT,
        REPLICA_SET,
        STATEFUL_SET,
        DAEMON_SET,
        REPLICATION_CONTROLLER
    }

    @Override
    public Traits traits() {
        return kind == Kind.REPLICATION_CONTROLLER ? CONTROLLER_TRAITS : TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode object) {
        if (!(object.get("spec") instanceof ObjectNode spec)) {
            return;
        }
        if (spec.get("template") instanceof ObjectNode template) {
            PodDefaults.apply(template, false);
        }
        switch (kind) {
            case DEPLOYMENT -> {
                ObjectNode strategy = Json.child(spec, "strategy");
                if (!strategy.has("type")) {
                    strategy.put("type", "RollingUpdate");
                }
                rolling(strategy, "maxUnavailable", "25%", "maxSurge", "25%");
            }
            case DAEMON_SET -> {
                ObjectNode strategy = Json.child(spec, "updateStrategy");
                if (!strategy.has("type")) {
                    strategy.put("type", "RollingUpdate");
                }
                rolling(strategy, "maxUnavailable", 1, "maxSurge", 0);
            }
            case STATEFUL_SET -> {
                ObjectNode strategy = Json.child(spec, "updateStrategy");
                if (!strategy.has("type")) {
                    strategy.put("type", "RollingUpdate");
                }
                if (strategy.path("type").asString("").equals("RollingUpdate")) {
                    ObjectNode rolling = Json.child(strategy, "rollingUpdate");
                    if (!rolling.has("partition")) {
                        rolling.put("partition", 0);
                    }
                }
            }
            case REPLICATION_CONTROLLER -> {
                JsonNode labels = spec.path("template").path("metadata").path("labels");
                if (spec.path("selector").isEmpty() && !labels.isEmpty()) {
                    spec.set("selector", labels.deepCopy());
                }
            }
            case REPLICA_SET -> {}
        }
    }

    private static void rolling(ObjectNode strategy, String one, Object first, String other, Object second) {
        if (!strategy.path("type").asString("").equals("RollingUpdate")) {
            return;
        }
        ObjectNode rolling = Json.child(strategy, "rollingUpdate");
        if (!rolling.has(one)) {
            put(rolling, one, first);
        }
        if (!rolling.has(other)) {
            put(rolling, other, second);
        }
    }

    private static void put(ObjectNode object, String field, Object value) {
        if (value instanceof Integer number) {
            object.put(field, number);
        } else {
            object.put(field, value.toString());
        }
    }

    @Override
    public void validate(ObjectNode object, Mistakes mistakes) {
        JsonNode spec = object.path("spec");
        JsonNode replicas = spec.path("replicas");
        if (replicas.isNumber() && replicas.longValue() < 0) {
            mistakes.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
        }
        JsonNode template = spec.path("template");
        selector(spec, template, mistakes);
        MetadataRules.labels("spec.template.labels", template.path("metadata").path("labels"), mistakes);
        MetadataRules.annotations(
                "spec.template.annotations", template.path("metadata").path("annotations"), mistakes);
        PodSpecRules.validate("spec.template.spec", template.path("spec"), mistakes);
        JsonNode restart = template.path("spec").path("restartPolicy");
        if (restart.isString() && !restart.stringValue().equals("Always")) {
            mistakes.unsupported("spec.template.spec.restartPolicy", restart, java.util.List.of("Always"));
        }
    }

    private void selector(JsonNode spec, JsonNode template, Mistakes mistakes) {
        JsonNode selector = spec.path("selector");
        if (!selector.isObject()) {
            mistakes.required("spec.selector", "");
            return;
        }
        boolean plain = kind == Kind.REPLICATION_CONTROLLER;
        if (selector.isEmpty()) {
            if (plain) {
                mistakes.required("spec.selector", "");
            } else {
                mistakes.invalid("spec.selector", selector, "empty selector is invalid for " + kindName());
            }
            return;
        }
        LabelSelector parsed = plain ? LabelSelector.of(strings(selector)) : LabelSelector.of(selector);
        if (!parsed.matches(Metadata.labels(template))) {
            mistakes.invalid(
                    "spec.template.metadata.labels",
                    template.path("metadata").path("labels"),
                    "`selector` does not match template `labels`");
        }
    }

    @Override
    public void validateUpdate(Write write, ObjectNode object, ObjectNode before, Mistakes mistakes) {
        JsonNode selector = object.path("spec").path("selector");
        if (kind != Kind.REPLICATION_CONTROLLER
                && !Json.same(selector, before.path("spec").path("selector"))) {
            mistakes.immutable("spec.selector", selector);
        }
        if (kind == Kind.STATEFUL_SET) {
            statefulSetUpdate(object, before, mistakes);
        }
    }

    private static void statefulSetUpdate(ObjectNode object, ObjectNode before, Mistakes mistakes) {
        ObjectNode changed = Json.child(object.deepCopy(), "spec");
        ObjectNode old = Json.child(before.deepCopy(), "spec");
        for (String field : new String[] {
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds"
        }) {
            changed.remove(field);
            old.remove(field);
        }
        if (!Json.same(changed, old)) {
            mistakes.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden");
        }
    }

    private String kindName() {
        return switch (kind) {
            case DEPLOYMENT, REPLICA_SET -> "deployment";
            case STATEFUL_SET -> "statefulset";
            case DAEMON_SET -> "daemonset";
            case REPLICATION_CONTROLLER -> "replicationcontroller";
        };
    }

    static Map<String, String> strings(JsonNode map) {
        Map<String, String> copy = new HashMap<>();
        map.properties()
                .forEach(entry -> copy.put(entry.getKey(), entry.getValue().asString("")));
        return copy;
    }
}
