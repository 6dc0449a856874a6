package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is special about the pods of Jobs. Stateless. */
final class JobPods {
    /** Keeps a pod until its end has been counted. */
    static final String TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

    static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

    private JobPods() {}

    static boolean tracked(JsonNode pod) {
        return Metadata.finalizers(pod).contains(TRACKING_FINALIZER);
    }

    /** The completion index; -1 when the pod has none that makes sense. */
    static int index(JsonNode pod) {
        try {
            return Integer.parseInt(Metadata.annotation(pod, INDEX));
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    /** A pod that counts as failed, though it may not have ended yet. */
    static boolean countsAsFailed(JsonNode pod, JobSpec spec) {
        if (Pods.failed(pod)) {
            return true;
        }
        if (!Metadata.deleting(pod) || Pods.succeeded(pod)) {
            return false;
        }
        return spec.replacesOnlyFailed() ? !Pods.scheduled(pod) : true;
    }

    /** @param index negative for a Job that is not Indexed */
    static ObjectNode create(ObjectNode job, int index) {
        ObjectNode pod = PodControl.fromTemplate(job.path("spec").path("template"), job);
        List<String> finalizers = new ArrayList<>(Metadata.finalizers(pod));
        finalizers.add(TRACKING_FINALIZER);
        Metadata.setFinalizers(pod, finalizers);
        label(pod, "batch.kubernetes.io/controller-uid", Metadata.uid(job));
        label(pod, "batch.kubernetes.io/job-name", Metadata.name(job));
        label(pod, "controller-uid", Metadata.uid(job));
        label(pod, "job-name", Metadata.name(job));
        if (index >= 0) {
            giveIndex(job, pod, index);
        }
        return pod;
    }

    private static void label(ObjectNode pod, String key, String value) {
        if (Metadata.label(pod, key).isEmpty()) {
            Metadata.setLabel(pod, key, value);
        }
    }

    private static void giveIndex(ObjectNode job, ObjectNode pod, int index) {
        Metadata.setAnnotation(pod, INDEX, Integer.toString(index));
        Metadata.setLabel(pod, INDEX, Integer.toString(index));
        Metadata.of(pod).put("generateName", Metadata.name(job) + "-" + index + "-");
        ObjectNode spec = Json.child(pod, "spec");
        spec.put("hostname", Metadata.name(job) + "-" + index);
        for (String field : new String[] {"initContainers", "containers"}) {
            for (JsonNode container : spec.path(field)) {
                addVariable((ObjectNode) container);
            }
        }
    }

    private static void addVariable(ObjectNode container) {
        ArrayNode env = container.get("env") instanceof ArrayNode present ? present : container.putArray("env");
        for (JsonNode variable : env) {
            if (variable.path("name").asString("").equals(INDEX_VARIABLE)) {
                return;
            }
        }
        env.addObject()
                .put("name", INDEX_VARIABLE)
                .putObject("valueFrom")
                .putObject("fieldRef")
                .put("fieldPath", "metadata.annotations['" + INDEX + "']");
    }
}
