package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.reconcile.EventRecorder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Changes the replicas of a Deployment's ReplicaSets, one at a time or all in proportion. Any thread. */
final class DeploymentScaler {
    private final Client client;
    private final EventRecorder events;

    DeploymentScaler(Client client, EventRecorder events) {
        this.client = client;
        this.events = events;
    }

    /** Scales one set and says so; true when it had another size before. The tree becomes what the server answered. */
    boolean scale(ObjectNode deployment, ObjectNode set, int replicas) {
        int before = Deployments.replicas(set);
        int desired = Deployments.replicas(deployment);
        boolean changed = Deployments.noteReplicas(
                set, desired, desired + RollingLimits.of(deployment).surge());
        if (before != replicas) {
            Json.child(set, "spec").put("replicas", replicas);
            changed = true;
        }
        if (!changed) {
            return false;
        }
        ObjectNode answer = client.update(Kinds.REPLICA_SETS, set);
        set.setAll(answer);
        if (before == replicas) {
            return false;
        }
        String direction = before < replicas ? "up" : "down";
        events.normal(
                deployment,
                "ScalingReplicaSet",
                "Scaled " + direction + " replica set " + Metadata.name(set) + " from " + before + " to " + replicas);
        return true;
    }

    /** After the Deployment's own size has changed: outside of a rollout one set follows, within one all do. */
    void scaleAll(ObjectNode deployment, Optional<ObjectNode> newest, List<ObjectNode> old) {
        int desired = Deployments.replicas(deployment);
        Optional<ObjectNode> only = Deployments.onlyActive(newest, old);
        if (only.isPresent()) {
            if (Deployments.replicas(only.get()) != desired) {
                scale(deployment, only.get(), desired);
            }
            return;
        }
        if (newest.isPresent() && saturated(deployment, newest.get())) {
            for (ObjectNode set : old) {
                if (Deployments.replicas(set) > 0) {
                    scale(deployment, set, 0);
                }
            }
            return;
        }
        if (!Deployments.recreates(deployment)) {
            scaleInProportion(deployment, newest, old);
        }
    }

    private static boolean saturated(ObjectNode deployment, ObjectNode set) {
        int desired = Deployments.replicas(deployment);
        return Deployments.replicas(set) == desired
                && Metadata.annotation(set, Deployments.DESIRED_REPLICAS).equals(Integer.toString(desired))
                && set.path("status").path("availableReplicas").asInt(0) == desired;
    }

    private void scaleInProportion(ObjectNode deployment, Optional<ObjectNode> newest, List<ObjectNode> old) {
        List<ObjectNode> active = new java.util.ArrayList<>(
                old.stream().filter(set -> Deployments.replicas(set) > 0).toList());
        newest.filter(set -> Deployments.replicas(set) > 0).ifPresent(active::add);
        int total = Deployments.sumReplicas(active);
        int desired = Deployments.replicas(deployment);
        int allowed = desired > 0 ? desired + RollingLimits.of(deployment).surge() : 0;
        int toAdd = allowed - total;
        Comparator<ObjectNode> bySize = Comparator.comparingInt(Deployments::replicas);
        // Bigger sets first, so that what cannot be divided goes to them; of equal ones the newer when growing.
        active.sort(
                toAdd > 0
                        ? bySize.reversed().thenComparing(Deployments.BY_AGE.reversed())
                        : bySize.reversed().thenComparing(Deployments.BY_AGE));
        int added = 0;
        int[] sizes = new int[active.size()];
        for (int i = 0; i < sizes.length; i++) {
            ObjectNode set = active.get(i);
            int share = toAdd == 0 ? 0 : share(deployment, set, toAdd, added);
            sizes[i] = Deployments.replicas(set) + share;
            added += share;
        }
        for (int i = 0; i < sizes.length; i++) {
            int size = i == 0 && toAdd != 0 ? Math.max(0, sizes[i] + toAdd - added) : sizes[i];
            scale(deployment, active.get(i), size);
        }
    }

    private static int share(ObjectNode deployment, ObjectNode set, int toAdd, int added) {
        int size = Deployments.replicas(set);
        int desired = Deployments.replicas(deployment);
        int fraction;
        if (desired == 0) {
            fraction = -size;
        } else {
            int surge = RollingLimits.of(deployment).surge();
            int maxBefore = maxReplicas(set, desired);
            fraction = (int) Math.round((double) size * (desired + surge) / maxBefore) - size;
        }
        int left = toAdd - added;
        return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    }

    private static int maxReplicas(ObjectNode set, int otherwise) {
        try {
            int max = Integer.parseInt(Metadata.annotation(set, Deployments.MAX_REPLICAS));
            return max > 0 ? max : Math.max(1, otherwise);
        } catch (NumberFormatException _) {
            return Math.max(1, otherwise);
        }
    }
}
