package io.atoll.controllers;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How far a rolling update may stray from the desired number of pods. Immutable.
 *
 * @param surge pods above it
 * @param unavailable pods below it
 */
record RollingLimits(int surge, int unavailable) {
    /** Of a Deployment; percentages of its replicas, surge rounded up and unavailable rounded down. */
    static RollingLimits of(ObjectNode deployment) {
        JsonNode strategy = deployment.path("spec").path("strategy");
        int replicas = Deployments.replicas(deployment);
        if (!strategy.path("type").asString("RollingUpdate").equals("RollingUpdate")) {
            return new RollingLimits(0, 0);
        }
        JsonNode rolling = strategy.path("rollingUpdate");
        int surge = scaled(rolling.path("maxSurge"), replicas, true);
        int unavailable = scaled(rolling.path("maxUnavailable"), replicas, false);
        if (surge == 0 && unavailable == 0) {
            // Both may round to nothing, and then nothing would ever move.
            unavailable = 1;
        }
        return new RollingLimits(surge, Math.min(unavailable, replicas));
    }

    /** A number, or a percentage such as {@code 25%}; what is missing counts as a quarter. */
    static int scaled(JsonNode value, int total, boolean up) {
        if (value.isNumber()) {
            return value.asInt(0);
        }
        String text = value.asString("25%");
        int percent = Integer.parseInt(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
        return up ? Math.ceilDiv(total * percent, 100) : Math.floorDiv(total * percent, 100);
    }

    /** How many replicas the newest set may have now, given all sets. */
    int newReplicas(ObjectNode deployment, List<ObjectNode> all, ObjectNode newest) {
        int desired = Deployments.replicas(deployment);
        if (Deployments.recreates(deployment)) {
            return desired;
        }
        int current = Deployments.sumReplicas(all);
        int most = desired + surge;
        int has = Deployments.replicas(newest);
        if (current >= most) {
            return has;
        }
        return has + Math.min(most - current, desired - has);
    }
}
