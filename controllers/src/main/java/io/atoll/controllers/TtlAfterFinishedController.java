package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deletes finished Jobs when their {@code ttlSecondsAfterFinished} has passed. */
final class TtlAfterFinishedController extends KeyedController {
    private static final byte[] MARK = "\"ttlSecondsAfterFinished\"".getBytes(StandardCharsets.UTF_8);

    TtlAfterFinishedController(ControllerContext context) {
        super(context, "ttl-after-finished-controller");
        context.indexes().jobs.subscribe((before, after) -> {
            if (after != null && Bytes.contains(after.json(), MARK)) {
                enqueue(after);
            }
        });
    }

    @Override
    public void start() {}

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.JOBS, key).map(StoredObject::tree);
        if (stored.isEmpty() || Metadata.deleting(stored.get())) {
            return Result.DONE;
        }
        ObjectNode job = stored.get();
        JsonNode seconds = job.path("spec").path("ttlSecondsAfterFinished");
        Optional<Instant> finished = finishedAt(job);
        if (!seconds.isNumber() || finished.isEmpty()) {
            return Result.DONE;
        }
        Duration left =
                Duration.between(context.timers().instant(), finished.get().plusSeconds(seconds.asLong(0)));
        if (left.isPositive()) {
            return Result.after(left);
        }
        try {
            client.delete(
                    Kinds.JOBS,
                    key.namespace(),
                    key.name(),
                    new Client.DeleteOptions(-1, "Foreground", Metadata.uid(job)));
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
        return Result.DONE;
    }

    private static Optional<Instant> finishedAt(ObjectNode job) {
        JsonNode status = job.path("status");
        return Conditions.find(status, JobOutcome.COMPLETE)
                .or(() -> Conditions.find(status, JobOutcome.FAILED))
                .filter(condition -> condition.path("status").asString("").equals("True"))
                .map(condition -> Pods.time(condition.path("lastTransitionTime")));
    }
}
