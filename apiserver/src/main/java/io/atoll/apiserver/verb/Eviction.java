package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.DeleteOptions;
import io.atoll.apiserver.registry.Deletion;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.registry.Update;
import io.atoll.apiserver.registry.Write;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.ApiException.Details;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.StatusObject;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.PodPhase;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Deletes a pod if its disruption budget allows it. */
final class Eviction implements Verb {
    private static final GroupResource BUDGETS = new GroupResource("policy", "poddisruptionbudgets");

    @Override
    public ApiResponse run(Call call) {
        ObjectNode eviction = Bodies.read(call.http()).tree();
        CachedObject pod = Get.find(call);
        DeleteOptions options = DeleteOptions.of(eviction.path("deleteOptions"));
        Write write = call.write();
        boolean dry = write.dryRun() || options.dryRun();
        ObjectNode tree = pod.tree();
        boolean harmless =
                PodPhase.terminal(tree) || PodPhase.of(tree).equals(PodPhase.PENDING) || Metadata.deleting(tree);
        if (!harmless) {
            useBudget(call, pod, dry);
        }
        Deletion.delete(write.asDelete(dry), pod.name(), options);
        return Responses.tree(call, 201, StatusObject.success(call.endpoint().resource(), pod.name(), ""));
    }

    private static void useBudget(Call call, CachedObject pod, boolean dry) {
        List<CachedObject> budgets = call.registry().list(BUDGETS, pod.namespace()).stream()
                .filter(budget -> covers(budget.tree(), pod.labels()))
                .toList();
        if (budgets.isEmpty()) {
            return;
        }
        if (budgets.size() > 1) {
            throw new ApiException(
                    StatusReason.InternalError,
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        Endpoint endpoint = call.registry().endpoints().endpoint(BUDGETS).orElseThrow();
        Write write = Write.of(call.registry(), call.user(), endpoint, pod.namespace())
                .on(endpoint, "status");
        if (dry) {
            spend(budgets.getFirst().tree(), call, pod.name());
        } else {
            Update.update(write, budgets.getFirst().name(), budget -> spend(budget, call, pod.name()));
        }
    }

    private static boolean covers(ObjectNode budget, Map<String, String> labels) {
        return LabelSelector.of(budget.path("spec").path("selector")).matches(labels);
    }

    private static ObjectNode spend(ObjectNode budget, Call call, String pod) {
        ObjectNode status = Json.child(budget, "status");
        long allowed = status.path("disruptionsAllowed").asLong(0);
        if (allowed <= 0) {
            throw new ApiException(
                    StatusReason.TooManyRequests,
                    429,
                    "Cannot evict pod as it would violate the pod's disruption budget.",
                    new Details(
                            "",
                            "",
                            "",
                            List.of(new Cause(
                                    "DisruptionBudget",
                                    "The disruption budget " + Metadata.name(budget) + " needs "
                                            + status.path("desiredHealthy").asLong(0) + " healthy pods and has "
                                            + status.path("currentHealthy").asLong(0) + " currently",
                                    "")),
                            0));
        }
        status.put("disruptionsAllowed", allowed - 1);
        Json.child(status, "disruptedPods").put(pod, call.registry().now());
        return budget;
    }
}
