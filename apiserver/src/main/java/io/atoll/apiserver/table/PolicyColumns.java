package io.atoll.apiserver.table;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

import static io.atoll.apiserver.table.Column.age;
import static io.atoll.apiserver.table.Column.bool;
import static io.atoll.apiserver.table.Column.integer;
import static io.atoll.apiserver.table.Column.named;
import static io.atoll.apiserver.table.Column.text;

/** Columns of access control, admission, priorities, leases, certificates and API registrations. */
final class PolicyColumns {
    private PolicyColumns() {}

    static void addTo(BuiltInColumns.Registry registry) {
        registry.add("rbac.authorization.k8s.io/RoleBinding", binding("roleBinding"));
        registry.add("rbac.authorization.k8s.io/ClusterRoleBinding", binding("clusterRoleBinding"));
        registry.add(
                "policy/PodDisruptionBudget",
                named(),
                text("Min Available", "spec.minAvailable", "N/A", "@spec.minAvailable"),
                text("Max Unavailable", "spec.maxUnavailable", "N/A", "@spec.maxUnavailable"),
                integer("Allowed Disruptions", "status.disruptionsAllowed"),
                age());
        registry.add(
                "scheduling.k8s.io/PriorityClass",
                named(),
                integer("Value", "value"),
                bool("Global-Default", "globalDefault", false),
                age(),
                text("PreemptionPolicy", "preemptionPolicy"));
        registry.add("node.k8s.io/RuntimeClass", named(), text("Handler", "handler"), age());
        registry.add("coordination.k8s.io/Lease", named(), text("Holder", "spec.holderIdentity"), age());
        registry.add(
                "certificates.k8s.io/CertificateSigningRequest",
                named(),
                age(),
                text("SignerName", "spec.signerName", Row.NONE, "@spec.signerName"),
                text("Requestor", "spec.username"),
                text("RequestedDuration", "@spec.expirationSeconds", PolicyColumns::requestedDuration),
                text("Condition", "@status.conditions", PolicyColumns::certificateCondition));
        for (String kind : List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")) {
            registry.add(
                    "admissionregistration.k8s.io/" + kind,
                    named(),
                    integer("Webhooks", "How many webhooks are registered.", row -> (long) row.count("webhooks")),
                    age());
        }
        addAdmissionPolicies(registry, "Validating", "Validations", "spec.validations");
        addAdmissionPolicies(registry, "Mutating", "Mutations", "spec.mutations");
        registry.add(
                "flowcontrol.apiserver.k8s.io/FlowSchema",
                named(),
                text("PriorityLevel", "spec.priorityLevelConfiguration.name"),
                text("MatchingPrecedence", "@spec.matchingPrecedence", row -> row.integer("spec.matchingPrecedence")),
                text("DistinguisherMethod", "spec.distinguisherMethod.type", Row.NONE, "@spec.distinguisherMethod"),
                age(),
                text("MissingPL", "Whether the priority level it names is missing.", PolicyColumns::missingLevel));
        registry.add(
                "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
                named(),
                text("Type", "spec.type"),
                limited("NominalConcurrencyShares", "spec.limited.nominalConcurrencyShares"),
                limited("Queues", "spec.limited.limitResponse.queuing.queues"),
                limited("HandSize", "spec.limited.limitResponse.queuing.handSize"),
                limited("QueueLengthLimit", "spec.limited.limitResponse.queuing.queueLengthLimit"),
                age());
        registry.add(
                "apiregistration.k8s.io/APIService",
                named(),
                text("Service", "@spec.service", PolicyColumns::service),
                text("Available", "Whether the service answers.", PolicyColumns::available),
                age());
    }

    private static Column[] binding(String what) {
        return new Column[] {
            named(),
            text("Role", "@roleRef", row -> row.text("roleRef.kind") + "/" + row.text("roleRef.name")),
            age(),
            subjects("Users", "Users in the " + what, "User"),
            subjects("Groups", "Groups in the " + what, "Group"),
            subjects("ServiceAccounts", "ServiceAccounts in the " + what, "ServiceAccount"),
        };
    }

    private static Column subjects(String name, String description, String kind) {
        return text(name, description, row -> {
                    List<String> subjects = new ArrayList<>();
                    for (JsonNode subject : row.at("subjects")) {
                        if (kind.equals(Row.text(subject.path("kind")))) {
                            String subjectName = Row.text(subject.path("name"));
                            subjects.add(
                                    kind.equals("ServiceAccount")
                                            ? Row.text(subject.path("namespace")) + "/" + subjectName
                                            : subjectName);
                        }
                    }
                    return String.join(", ", subjects);
                })
                .wide();
    }

    private static void addAdmissionPolicies(
            BuiltInColumns.Registry registry, String prefix, String rules, String rulesPath) {
        registry.add(
                "admissionregistration.k8s.io/" + prefix + "AdmissionPolicy",
                named(),
                integer(rules, "@" + rulesPath, row -> (long) row.count(rulesPath)),
                text(
                        "ParamKind",
                        "@spec.paramKind",
                        row -> row.has("spec.paramKind")
                                ? row.text("spec.paramKind.apiVersion") + "/" + row.text("spec.paramKind.kind")
                                : Row.UNSET),
                age());
        registry.add(
                "admissionregistration.k8s.io/" + prefix + "AdmissionPolicyBinding",
                named(),
                text("PolicyName", "spec.policyName"),
                text("ParamRef", "@spec.paramRef", PolicyColumns::paramRef),
                age());
    }

    private static String paramRef(Row row) {
        if (!row.has("spec.paramRef")) {
            return Row.UNSET;
        }
        String namespace = row.text("spec.paramRef.namespace");
        String name = row.text("spec.paramRef.name");
        String shown = name.isEmpty() ? row.selector("spec.paramRef.selector") : name;
        return namespace.isEmpty() ? shown : namespace + "/" + shown;
    }

    private static Column limited(String name, String path) {
        return text(name, "@" + path, row -> row.has(path) ? (Object) row.integer(path) : Row.NONE);
    }

    private static String missingLevel(Row row) {
        String dangling = Row.text(row.condition("Dangling").path("status"));
        return dangling.isEmpty() ? "?" : dangling;
    }

    private static String requestedDuration(Row row) {
        return row.has("spec.expirationSeconds")
                ? HumanDuration.format(Duration.ofSeconds(row.integer("spec.expirationSeconds")))
                : Row.NONE;
    }

    private static String certificateCondition(Row row) {
        StringBuilder status = new StringBuilder();
        if (!row.condition("Denied").isMissingNode()) {
            status.append("Denied");
        } else if (!row.condition("Approved").isMissingNode()) {
            status.append("Approved");
        } else {
            status.append("Pending");
        }
        if (!row.condition("Failed").isMissingNode()) {
            status.append(",Failed");
        }
        if (!row.text("status.certificate").isEmpty()) {
            status.append(",Issued");
        }
        return status.toString();
    }

    private static String service(Row row) {
        return row.has("spec.service")
                ? row.text("spec.service.namespace") + "/" + row.text("spec.service.name")
                : "Local";
    }

    private static String available(Row row) {
        JsonNode condition = row.condition("Available");
        if (condition.isMissingNode()) {
            return "Unknown";
        }
        String status = Row.text(condition.path("status"));
        return status.equals("True") ? status : status + " (" + Row.text(condition.path("reason")) + ")";
    }
}
