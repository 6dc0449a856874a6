package io.atoll.scheduler.grouper;

import tools.jackson.databind.JsonNode;

/** Kinds whose rule is one line. Stateless. */
final class PodRules {
    private static final String SPARK_APP = "spark-app-selector";

    private PodRules() {}

    /** A pod is alone, unless it is of a Spark application: its driver and executors find each other by a label. */
    static Gang pod(Workload workload, Surroundings around) {
        String application = workload.label(SPARK_APP);
        return application.isEmpty() ? Gang.of(workload.top()) : Gang.named(application, workload.top());
    }

    /** Each pod of a Job alone: they may run one after the other. The group goes with the pod. */
    static Gang job(Workload workload, Surroundings around) {
        Owner pod = workload.podItself();
        return Gang.named("pg-" + pod.name() + "-" + workload.top().uid(), pod);
    }

    /** The pods of one run. */
    static Gang cronJob(Workload workload, Surroundings around) {
        return Gang.of(workload.find("batch", "Job").orElse(workload.top()));
    }

    static Gang deployment(Workload workload, Surroundings around) {
        return Gang.of(workload.podItself()).withDefaultClass(Gang.INFERENCE);
    }

    static Gang amlJob(Workload workload, Surroundings around) {
        JsonNode nodes =
                workload.top().spec().path("job").path("options").path("envs").path("AZUREML_NODE_COUNT");
        if (nodes.isString()) {
            return Gang.of(workload.top()).withMinMember(Counts.positive(nodes.asString(), "AZUREML_NODE_COUNT"));
        }
        if (!nodes.isNumber()) {
            throw new GroupingException("AmlJob " + workload.top().name() + " does not say how many nodes it needs");
        }
        return Gang.of(workload.top()).withMinMember(nodes.asInt(1));
    }
}
