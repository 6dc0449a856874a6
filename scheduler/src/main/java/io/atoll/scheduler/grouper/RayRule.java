package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SubGroupSpec;
import io.atoll.scheduler.crd.TopologyConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Ray: a head and the least number of workers of each group, all their hosts. Of a RayService each cluster is a group of
 * its own, or an upgrade would count the old cluster's pods for the new one.
 */
record RayRule() implements KindRule {
    private static final String HEAD = "headgroup";
    private static final String GROUP = "ray.io/group";
    private static final String PRIORITY_CLASS = "ray.io/priority-class-name";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner top = workload.top();
        Optional<Owner> cluster = workload.find("ray.io", "RayCluster");
        String priorityClass = priorityClass(top, cluster, around);
        if (cluster.isEmpty()) {
            // what submits the job is no part of the cluster
            return PodRules.job(workload, around).withDefaultClass(priorityClass);
        }
        JsonNode spec = spec(top, cluster.get());
        List<SubGroupSpec> parts = new ArrayList<>();
        parts.add(SubGroupSpec.of(HEAD, 1).at(topology(spec.path("headGroupSpec"), top)));
        int min = 1;
        boolean autoscaled = spec.path("enableInTreeAutoscaling").asBoolean(false);
        for (JsonNode group : spec.path("workerGroupSpecs")) {
            int members = members(group, autoscaled);
            if (members > 0) {
                parts.add(SubGroupSpec.of(group.path("groupName").asString(""), members)
                        .at(topology(group, top)));
                min += members;
            }
        }
        Owner whole = top.is("ray.io", "RayService") ? cluster.get() : top;
        return Gang.of(whole)
                .withMinMember(min)
                .withDefaultClass(priorityClass)
                .withSubGroups(parts, joined(workload.label(GROUP), parts));
    }

    /** A group that starts with no workers is no part of the gang; what it grows to joins the head's. */
    private static String joined(String group, List<SubGroupSpec> parts) {
        return parts.stream().anyMatch(part -> part.name().equals(group)) ? group : HEAD;
    }

    /** The least number of pods. A minimum of zero is what is stored where nobody gave one. */
    private static int members(JsonNode group, boolean autoscaled) {
        if (group.path("suspend").asBoolean(false)) {
            return 0;
        }
        int replicas = autoscaled ? 0 : group.path("replicas").asInt(0);
        return Counts.orElse(group.path("minReplicas"), replicas) * Counts.orElse(group.path("numOfHosts"), 1);
    }

    /** The cluster's own, or where it is not known what it was made from. */
    private static JsonNode spec(Owner top, Owner cluster) {
        if (cluster.object().isPresent()) {
            return cluster.spec();
        }
        JsonNode fromJob = top.spec().path("rayClusterSpec");
        return fromJob.isObject() ? fromJob : top.spec().path("rayClusterConfig");
    }

    private static Optional<TopologyConstraint> topology(JsonNode group, Owner top) {
        return OwnerAnnotations.topology(
                key -> Metadata.annotation(group.path("template"), key),
                top.annotation(io.atoll.scheduler.crd.SchedulingKeys.TOPOLOGY));
    }

    private static String priorityClass(Owner top, Optional<Owner> cluster, Surroundings around) {
        String asked = top.label(PRIORITY_CLASS);
        if (asked.isEmpty() && cluster.isPresent()) {
            asked = cluster.get().label(PRIORITY_CLASS);
        }
        return !asked.isEmpty() && around.priorityClassExists(asked) ? asked : Gang.TRAIN;
    }
}
