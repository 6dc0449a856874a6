package io.atoll.scheduler.grouper;

/**
 * Knative Services: each revision is a group.
 *
 * @param gangs whether a revision's minimum scale starts together
 */
record KnativeRule(boolean gangs) implements KindRule {
    private static final String MIN_SCALE = "autoscaling.knative.dev/min-scale";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner revision = workload.find("serving.knative.dev", "Revision").orElse(workload.top());
        Gang gang = Gang.of(revision).withDefaultClass(Gang.INFERENCE);
        String scale = revision.annotation(MIN_SCALE);
        return gangs && !scale.isEmpty() && !scale.equals("0")
                ? gang.withMinMember(Counts.positive(scale, MIN_SCALE))
                : gang;
    }
}
