package io.atoll.controllers;

import io.atoll.model.Metadata;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A Job's {@code podFailurePolicy}: what a failed pod means. Immutable. */
record JobFailurePolicy(JsonNode rules) {
    /** What to make of a failure. */
    enum Action {
        COUNT,
        IGNORE,
        FAIL_INDEX,
        FAIL_JOB
    }

    /** An action, and the message when the Job fails of it. */
    record Verdict(Action action, String message) {}

    private static final Verdict COUNT = new Verdict(Action.COUNT, "");

    static JobFailurePolicy of(JsonNode policy) {
        return new JobFailurePolicy(policy.path("rules"));
    }

    boolean present() {
        return !rules.isMissingNode();
    }

    /** The first rule that matches decides. */
    Verdict judge(ObjectNode pod) {
        int index = 0;
        for (JsonNode rule : rules) {
            String action = rule.path("action").asString("");
            Optional<String> match = matchExitCodes(rule.path("onExitCodes"), pod)
                    .or(() -> matchConditions(rule.path("onPodConditions"), pod));
            if (match.isPresent()) {
                return verdict(action, match.get() + " matching " + action + " rule at index " + index);
            }
            index++;
        }
        return COUNT;
    }

    private static Verdict verdict(String action, String message) {
        return switch (action) {
            case "FailJob" -> new Verdict(Action.FAIL_JOB, message);
            case "FailIndex" -> new Verdict(Action.FAIL_INDEX, message);
            case "Ignore" -> new Verdict(Action.IGNORE, message);
            default -> COUNT;
        };
    }

    private static Optional<String> matchExitCodes(JsonNode condition, ObjectNode pod) {
        if (condition.isMissingNode()) {
            return Optional.empty();
        }
        for (String field : new String[] {"containerStatuses", "initContainerStatuses"}) {
            for (JsonNode container : pod.path("status").path(field)) {
                Optional<String> match = matchExitCode(condition, container, pod);
                if (match.isPresent()) {
                    return match;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> matchExitCode(JsonNode condition, JsonNode container, ObjectNode pod) {
        String only = condition.path("containerName").asString("");
        String name = container.path("name").asString("");
        int code = container.path("state").path("terminated").path("exitCode").asInt(0);
        if (code == 0 || (!only.isEmpty() && !only.equals(name))) {
            return Optional.empty();
        }
        boolean listed = false;
        for (JsonNode value : condition.path("values")) {
            listed |= value.asInt(0) == code;
        }
        boolean wantsListed = condition.path("operator").asString("").equals("In");
        return listed == wantsListed
                ? Optional.of("Container " + name + " for pod " + Metadata.namespace(pod) + "/" + Metadata.name(pod)
                        + " failed with exit code " + code)
                : Optional.empty();
    }

    private static Optional<String> matchConditions(JsonNode patterns, ObjectNode pod) {
        for (JsonNode pattern : patterns) {
            String type = pattern.path("type").asString("");
            Optional<JsonNode> condition = Conditions.find(pod.path("status"), type);
            if (condition.isPresent()
                    && condition
                            .get()
                            .path("status")
                            .asString("")
                            .equals(pattern.path("status").asString("True"))) {
                return Optional.of(
                        "Pod " + Metadata.namespace(pod) + "/" + Metadata.name(pod) + " has condition " + type);
            }
        }
        return Optional.empty();
    }
}
