package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.model.Metadata;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** CronJobs: a schedule and a template of jobs. */
final class CronJobStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.GENERATION);
    private static final int NAME_LENGTH_MAX = 52;

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode object) {
        if (object.path("spec").path("jobTemplate").path("spec").get("template") instanceof ObjectNode template) {
            PodDefaults.apply(template, false);
        }
    }

    @Override
    public void validate(ObjectNode object, Mistakes mistakes) {
        String name = Metadata.name(object);
        if (name.length() > NAME_LENGTH_MAX) {
            mistakes.invalid("metadata.name", name, "must be no more than " + NAME_LENGTH_MAX + " characters");
        }
        JsonNode spec = object.path("spec");
        String schedule = spec.path("schedule").asString("");
        if (schedule.isEmpty()) {
            mistakes.required("spec.schedule", "");
        } else if (!schedule.startsWith("@") && schedule.strip().split("\\s+").length != 5) {
            mistakes.invalid(
                    "spec.schedule",
                    schedule,
                    "expected exactly 5 fields, found " + schedule.strip().split("\\s+").length + ": [" + schedule
                            + "]");
        }
        PodSpecRules.oneOf(
                "spec.concurrencyPolicy", spec.path("concurrencyPolicy"), mistakes, "Allow", "Forbid", "Replace");
        JobStrategy.spec("spec.jobTemplate.spec", spec.path("jobTemplate").path("spec"), mistakes);
    }
}
