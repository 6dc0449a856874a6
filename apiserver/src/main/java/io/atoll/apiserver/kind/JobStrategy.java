package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: a selector of their own making, and a template that stays as it is. */
final class JobStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.GENERATION, Trait.ORPHANS_BY_DEFAULT);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode job) {
        if (job.get("spec") instanceof ObjectNode spec) {
            defaults(spec);
            JsonNode labels = spec.path("template").path("metadata").path("labels");
            if (Metadata.labels(job).isEmpty() && !labels.isEmpty()) {
                Metadata.setLabels(job, WorkloadStrategy.strings(labels));
            }
        }
    }

    static void defaults(ObjectNode spec) {
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1);
        }
        putIfAbsent(spec, "parallelism", 1);
        putIfAbsent(spec, "backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        if (!spec.has("podReplacementPolicy")) {
            spec.put("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        }
        if (spec.get("template") instanceof ObjectNode template) {
            PodDefaults.apply(template, false);
        }
    }

    private static void putIfAbsent(ObjectNode object, String field, int value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    @Override
    public void prepareCreate(Write write, ObjectNode job) {
        job.putObject("status");
        ObjectNode spec = Json.child(job, "spec");
        if (spec.path("manualSelector").asBoolean(false)) {
            return;
        }
        String uid = Metadata.uid(job);
        ObjectNode template = Json.child(spec, "template");
        Metadata.setLabel(template, "controller-uid", uid);
        Metadata.setLabel(template, "batch.kubernetes.io/controller-uid", uid);
        Metadata.setLabel(template, "job-name", Metadata.name(job));
        Metadata.setLabel(template, "batch.kubernetes.io/job-name", Metadata.name(job));
        if (!spec.has("selector")) {
            ObjectNode labels = spec.putObject("selector").putObject("matchLabels");
            labels.put("batch.kubernetes.io/controller-uid", uid);
        }
    }

    @Override
    public void validate(ObjectNode job, Mistakes mistakes) {
        JsonNode spec = job.path("spec");
        spec("spec", spec, mistakes);
        if (!spec.path("selector").isObject()) {
            mistakes.required("spec.selector", "");
        } else if (!LabelSelector.of(spec.path("selector")).matches(Metadata.labels(spec.path("template")))) {
            mistakes.invalid(
                    "spec.template.metadata.labels",
                    spec.path("template").path("metadata").path("labels"),
                    "`selector` does not match template `labels`");
        }
    }

    static void spec(String path, JsonNode spec, Mistakes mistakes) {
        for (String field : new String[] {
            "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"
        }) {
            if (spec.path(field).asLong(0) < 0) {
                mistakes.invalid(path + "." + field, spec.path(field), "must be greater than or equal to 0");
            }
        }
        JsonNode pod = spec.path("template").path("spec");
        PodSpecRules.validate(path + ".template.spec", pod, mistakes);
        String restart = pod.path("restartPolicy").asString("Always");
        if (restart.equals("Always")) {
            mistakes.unsupported(path + ".template.spec.restartPolicy", restart, List.of("OnFailure", "Never"));
        }
        if (spec.path("completionMode").asString("").equals("Indexed")
                && !spec.path("completions").isNumber()) {
            mistakes.required(path + ".completions", "when completion mode is Indexed");
        }
    }

    @Override
    public void validateUpdate(Write write, ObjectNode job, ObjectNode before, Mistakes mistakes) {
        JsonNode spec = job.path("spec");
        JsonNode old = before.path("spec");
        boolean neverStarted =
                old.path("suspend").asBoolean(false) && !before.path("status").has("startTime");
        for (String field : new String[] {"selector", "completionMode", "podFailurePolicy", "backoffLimitPerIndex"}) {
            if (!Json.same(spec.path(field), old.path(field))) {
                mistakes.immutable("spec." + field, spec.path(field));
            }
        }
        if (!neverStarted && !Json.same(spec.path("template"), old.path("template"))) {
            mistakes.immutable("spec.template", spec.path("template"));
        }
        if (!Json.same(spec.path("completions"), old.path("completions"))
                && !spec.path("completionMode").asString("").equals("Indexed")) {
            mistakes.immutable("spec.completions", spec.path("completions"));
        }
    }
}
