package io.atoll.apiserver.table;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

import static io.atoll.apiserver.table.Column.age;
import static io.atoll.apiserver.table.Column.integer;
import static io.atoll.apiserver.table.Column.named;
import static io.atoll.apiserver.table.Column.text;

/** Columns of what creates and scales pods. */
final class WorkloadColumns {
    private static final int METRICS_SHOWN_MAX = 2;

    private WorkloadColumns() {}

    static void addTo(BuiltInColumns.Registry registry) {
        registry.add(
                "apps/Deployment",
                named(),
                text("Ready", "Pods that are ready, of those wanted.", WorkloadColumns::ready),
                text("Up-to-date", "@status.updatedReplicas", row -> row.integer("status.updatedReplicas")),
                text("Available", "@status.availableReplicas", row -> row.integer("status.availableReplicas")),
                age(),
                containers("spec.template.spec.containers"),
                images("spec.template.spec.containers"),
                text("Selector", "@spec.selector", WorkloadColumns::plainSelector)
                        .wide());
        registry.add(
                "apps/ReplicaSet",
                named(),
                integer("Desired", "spec.replicas"),
                integer("Current", "status.replicas"),
                integer("Ready", "status.readyReplicas"),
                age(),
                containers("spec.template.spec.containers"),
                images("spec.template.spec.containers"),
                selector("spec.selector"));
        registry.add(
                "/ReplicationController",
                named(),
                integer("Desired", "spec.replicas"),
                integer("Current", "status.replicas"),
                integer("Ready", "status.readyReplicas"),
                age(),
                containers("spec.template.spec.containers"),
                images("spec.template.spec.containers"),
                text("Selector", "@spec.selector", row -> row.labels("spec.selector"))
                        .wide());
        registry.add(
                "apps/StatefulSet",
                named(),
                text("Ready", "Pods that are ready, of those wanted.", WorkloadColumns::ready),
                age(),
                containers("spec.template.spec.containers"),
                images("spec.template.spec.containers"));
        registry.add(
                "apps/DaemonSet",
                named(),
                integer("Desired", "status.desiredNumberScheduled"),
                integer("Current", "status.currentNumberScheduled"),
                integer("Ready", "status.numberReady"),
                integer("Up-to-date", "status.updatedNumberScheduled"),
                integer("Available", "status.numberAvailable"),
                text(
                        "Node Selector",
                        "@spec.template.spec.nodeSelector",
                        row -> row.labels("spec.template.spec.nodeSelector")),
                age(),
                containers("spec.template.spec.containers"),
                images("spec.template.spec.containers"),
                selector("spec.selector"));
        registry.add(
                "apps/ControllerRevision",
                named(),
                text("Controller", "The object that controls this one.", WorkloadColumns::controller),
                text("Revision", "@revision", row -> row.integer("revision")),
                age());
        registry.add(
                "batch/Job",
                named(),
                text("Status", "How the job stands.", WorkloadColumns::jobStatus),
                text("Completions", "@status.succeeded", WorkloadColumns::completions),
                text("Duration", "How long the job has run, or took.", WorkloadColumns::jobDuration),
                age(),
                containers("spec.template.spec.containers"),
                images("spec.template.spec.containers"),
                selector("spec.selector"));
        registry.add(
                "batch/CronJob",
                named(),
                text("Schedule", "spec.schedule"),
                text("Timezone", "spec.timeZone", Row.NONE, "@spec.timeZone"),
                new Column("Suspend", "boolean", "", "@spec.suspend", 0, WorkloadColumns::suspended),
                integer("Active", "@status.active", row -> (long) row.count("status.active")),
                text(
                        "Last Schedule",
                        "@status.lastScheduleTime",
                        row -> row.has("status.lastScheduleTime") ? row.since("status.lastScheduleTime") : Row.NONE),
                age(),
                containers("spec.jobTemplate.spec.template.spec.containers"),
                images("spec.jobTemplate.spec.template.spec.containers"),
                selector("spec.jobTemplate.spec.selector"));
        registry.add(
                "/PodTemplate",
                named(),
                text(
                        "Containers",
                        "Names of the template's containers.",
                        row -> row.joined("template.spec.containers", "name")),
                text(
                        "Images",
                        "Images of the template's containers.",
                        row -> row.joined("template.spec.containers", "image")),
                text("Pod Labels", "Labels of the template.", row -> row.labels("template.metadata.labels")));
        registry.add(
                "autoscaling/HorizontalPodAutoscaler",
                named(),
                text(
                        "Reference",
                        "@spec.scaleTargetRef",
                        row -> row.text("spec.scaleTargetRef.kind") + "/" + row.text("spec.scaleTargetRef.name")),
                text("Targets", "@spec.metrics", WorkloadColumns::metrics),
                text("MinPods", "spec.minReplicas", Row.UNSET, "@spec.minReplicas"),
                text("MaxPods", "@spec.maxReplicas", row -> row.integer("spec.maxReplicas")),
                text("Replicas", "@status.currentReplicas", row -> row.integer("status.currentReplicas")),
                age());
    }

    private static Column containers(String path) {
        return text("Containers", "Names of the template's containers.", row -> row.joined(path, "name"))
                .wide();
    }

    private static Column images(String path) {
        return text("Images", "Images of the template's containers.", row -> row.joined(path, "image"))
                .wide();
    }

    private static Column selector(String path) {
        return text("Selector", "@" + path, row -> row.selector(path)).wide();
    }

    /** Deployments show an empty selector as nothing. */
    private static String plainSelector(Row row) {
        String selector = row.selector("spec.selector");
        return selector.equals(Row.NONE) ? "" : selector;
    }

    private static String ready(Row row) {
        return row.integer("status.readyReplicas") + "/" + row.integer("spec.replicas");
    }

    private static String suspended(Row row) {
        return row.has("spec.suspend") ? (row.bool("spec.suspend", false) ? "True" : "False") : Row.UNSET;
    }

    private static String controller(Row row) {
        for (JsonNode owner : row.at("metadata.ownerReferences")) {
            if (owner.path("controller").asBoolean(false)) {
                String apiVersion = Row.text(owner.path("apiVersion"));
                int slash = apiVersion.indexOf('/');
                String kind = Row.text(owner.path("kind")) + (slash < 0 ? "" : "." + apiVersion.substring(0, slash));
                return kind.toLowerCase(Locale.ROOT) + "/" + Row.text(owner.path("name"));
            }
        }
        return Row.NONE;
    }

    private static String completions(Row row) {
        long succeeded = row.integer("status.succeeded");
        if (row.has("spec.completions")) {
            return succeeded + "/" + row.integer("spec.completions");
        }
        long parallelism = row.integer("spec.parallelism");
        return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
    }

    private static String jobDuration(Row row) {
        if (!row.has("status.startTime")) {
            return "";
        }
        if (!row.has("status.completionTime")) {
            return row.since("status.startTime");
        }
        return HumanDuration.format(Duration.between(
                OffsetDateTime.parse(row.text("status.startTime")),
                OffsetDateTime.parse(row.text("status.completionTime"))));
    }

    private static String jobStatus(Row row) {
        if (row.conditionTrue("Complete")) {
            return "Complete";
        }
        if (row.conditionTrue("Failed")) {
            return "Failed";
        }
        if (row.deleting()) {
            return "Terminating";
        }
        if (row.conditionTrue("Suspended")) {
            return "Suspended";
        }
        if (row.conditionTrue("FailureTarget")) {
            return "FailureTarget";
        }
        return row.conditionTrue("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
    }

    private static String metrics(Row row) {
        if (row.has("spec.targetCPUUtilizationPercentage")) {
            String current = row.has("status.currentCPUUtilizationPercentage")
                    ? row.integer("status.currentCPUUtilizationPercentage") + "%"
                    : HumanDuration.UNKNOWN;
            return "cpu: " + current + "/" + row.integer("spec.targetCPUUtilizationPercentage") + "%";
        }
        JsonNode specs = row.at("spec.metrics");
        if (specs.isEmpty()) {
            return Row.NONE;
        }
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < Math.min(specs.size(), METRICS_SHOWN_MAX); i++) {
            shown.add(metric(specs.path(i), row.at("status.currentMetrics").path(i)));
        }
        String joined = String.join(", ", shown);
        return specs.size() > METRICS_SHOWN_MAX
                ? joined + " + " + (specs.size() - METRICS_SHOWN_MAX) + " more..."
                : joined;
    }

    private static String metric(JsonNode spec, JsonNode status) {
        String type = Row.text(spec.path("type"));
        String field = switch (type) {
            case "External" -> "external";
            case "Pods" -> "pods";
            case "Object" -> "object";
            case "Resource" -> "resource";
            case "ContainerResource" -> "containerResource";
            default -> "";
        };
        if (field.isEmpty()) {
            return "<unknown type>";
        }
        JsonNode target = spec.path(field).path("target");
        JsonNode current = status.path(field).path("current");
        boolean ofResource = field.equals("resource") || field.equals("containerResource");
        String prefix = ofResource ? Row.text(spec.path(field).path("name")) + ": " : "";
        if (target.has("averageValue")) {
            String suffix = field.equals("external") || field.equals("object") ? " (avg)" : "";
            return prefix + valueOr(current.path("averageValue"), HumanDuration.UNKNOWN) + "/"
                    + Row.text(target.path("averageValue")) + suffix;
        }
        if (ofResource) {
            String used = valueOr(current.path("averageUtilization"), "");
            String wanted = valueOr(target.path("averageUtilization"), "");
            return prefix + (used.isEmpty() ? HumanDuration.UNKNOWN : used + "%") + "/"
                    + (wanted.isEmpty() ? "<auto>" : wanted + "%");
        }
        return valueOr(current.path("value"), HumanDuration.UNKNOWN) + "/" + Row.text(target.path("value"));
    }

    private static String valueOr(JsonNode node, String otherwise) {
        String text = Row.text(node);
        return text.isEmpty() ? otherwise : text;
    }
}
