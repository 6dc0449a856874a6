package io.atoll.controllers;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** One step of a rolling update: grow the newest set as far as surge allows, shrink the others as availability does. */
final class DeploymentRollout {
    private final DeploymentScaler scaler;

    DeploymentRollout(DeploymentScaler scaler) {
        this.scaler = scaler;
    }

    void step(ObjectNode deployment, ObjectNode newest, List<ObjectNode> old) {
        RollingLimits limits = RollingLimits.of(deployment);
        List<ObjectNode> all = new java.util.ArrayList<>(old);
        all.add(newest);
        if (grow(deployment, newest, all, limits)) {
            return;
        }
        shrink(deployment, newest, old, all, limits);
    }

    /** Scales all to nothing; true when one of them was not. */
    boolean stopAll(ObjectNode deployment, List<ObjectNode> old) {
        boolean scaled = false;
        for (ObjectNode set : old) {
            if (Deployments.replicas(set) > 0) {
                scaled |= scaler.scale(deployment, set, 0);
            }
        }
        return scaled;
    }

    private boolean grow(ObjectNode deployment, ObjectNode newest, List<ObjectNode> all, RollingLimits limits) {
        int desired = Deployments.replicas(deployment);
        int has = Deployments.replicas(newest);
        if (has == desired) {
            return false;
        }
        return scaler.scale(deployment, newest, has > desired ? desired : limits.newReplicas(deployment, all, newest));
    }

    private void shrink(
            ObjectNode deployment,
            ObjectNode newest,
            List<ObjectNode> old,
            List<ObjectNode> all,
            RollingLimits limits) {
        if (Deployments.sumReplicas(old) == 0) {
            return;
        }
        int leastAvailable = Deployments.replicas(deployment) - limits.unavailable();
        int newUnavailable = Deployments.replicas(newest)
                - newest.path("status").path("availableReplicas").asInt(0);
        int spare = Deployments.sumReplicas(all) - leastAvailable - newUnavailable;
        if (spare <= 0) {
            return;
        }
        old.sort(Deployments.BY_AGE);
        stopUnhealthy(deployment, old, spare);
        stopHealthy(deployment, old, all, leastAvailable);
    }

    /** Pods that are not available serve nobody: they go first, as many as may be missing. */
    private void stopUnhealthy(ObjectNode deployment, List<ObjectNode> old, int spare) {
        int left = spare;
        for (ObjectNode set : old) {
            int replicas = Deployments.replicas(set);
            int unhealthy =
                    replicas - set.path("status").path("availableReplicas").asInt(0);
            int stop = Math.min(left, unhealthy);
            if (stop > 0) {
                scaler.scale(deployment, set, replicas - stop);
                left -= stop;
            }
        }
    }

    private void stopHealthy(ObjectNode deployment, List<ObjectNode> old, List<ObjectNode> all, int leastAvailable) {
        int left = Deployments.sumStatus(all, "availableReplicas") - leastAvailable;
        for (ObjectNode set : old) {
            int replicas = Deployments.replicas(set);
            int stop = Math.min(left, replicas);
            if (stop > 0) {
                scaler.scale(deployment, set, replicas - stop);
                left -= stop;
            }
        }
    }
}
