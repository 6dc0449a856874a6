package io.atoll.apiserver.registry;

import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.DeleteOptions.Propagation;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes an object: at once, or by marking it when it has a grace period, finalizers, or dependents to wait for.
 */
public final class Deletion {
    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final int ATTEMPTS_MAX = 64;

    private Deletion() {}

    /**
     * What became of it.
     *
     * @param object the last state, or the marked object
     * @param complete whether it is gone
     */
    public record Outcome(CachedObject object, boolean complete) {}

    /** Deletes an object or marks it for deletion. */
    public static Outcome delete(Write write, String name, DeleteOptions options) {
        Endpoint endpoint = write.endpoint();
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            CachedObject current = (attempt == 1
                            ? write.registry().find(endpoint.storedAs(), write.namespace(), name)
                            : write.registry().latest(endpoint, write.namespace(), name))
                    .orElseThrow(() -> ApiException.notFound(endpoint.resource(), name));
            Optional<Outcome> outcome = attempt(write, current, options);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        throw ApiException.conflict(endpoint.resource(), name, "object was modified");
    }

    /** Empty when another write came first. */
    private static Optional<Outcome> attempt(Write write, CachedObject current, DeleteOptions options) {
        Endpoint endpoint = write.endpoint();
        ObjectNode before = current.tree();
        checkPreconditions(endpoint, before, options);
        AdmissionRequest admission = new AdmissionRequest(
                write.user(),
                Operation.DELETE,
                endpoint.served(),
                "",
                write.namespace(),
                current.name(),
                null,
                before,
                write.dryRun());
        write.registry().admission().forEach(plugin -> plugin.admit(admission));
        write.registry().admission().forEach(plugin -> plugin.validate(admission));

        ObjectNode object = before.deepCopy();
        long grace = endpoint.strategy().gracePeriodSeconds(before, options.gracePeriodSeconds());
        Metadata.setFinalizers(
                object,
                finalizers(before, options.propagation(), endpoint.strategy().traits()));
        boolean stays = mark(write, object, before, grace, options.gracePeriodSeconds() >= 0);
        if (!stays) {
            return write.dryRun() ? Optional.of(new Outcome(current, true)) : remove(write, current);
        }
        if (write.dryRun() || Json.same(object, before)) {
            return Optional.of(new Outcome(current, false));
        }
        byte[] stored = StoredForm.encode(object);
        return switch (write.registry().commitUpdate(endpoint, current, stored)) {
            case Store.CommitResult.Committed done -> {
                endpoint.strategy().committed(write);
                yield Optional.of(new Outcome(
                        CachedObject.of(current.path(), stored, done.entry().modRevision()), false));
            }
            case Store.CommitResult.Conflict _, Store.CommitResult.Aborted _ -> Optional.empty();
        };
    }

    private static Optional<Outcome> remove(Write write, CachedObject current) {
        return switch (write.registry().commitDelete(write.endpoint(), current)) {
            case Store.CommitResult.Committed done -> {
                write.endpoint().strategy().committed(write);
                yield Optional.of(new Outcome(current.at(done.entry().modRevision()), true));
            }
            case Store.CommitResult.Conflict _, Store.CommitResult.Aborted _ -> Optional.empty();
        };
    }

    /** Marks the object as being deleted; false when nothing keeps it. */
    private static boolean mark(Write write, ObjectNode object, ObjectNode before, long grace, boolean graceAsked) {
        boolean held = !Metadata.finalizers(object).isEmpty()
                || write.endpoint().strategy().holdsDeletion(object);
        Optional<String> marked = Metadata.deletionTimestamp(before);
        if (marked.isPresent()) {
            long graceBefore =
                    before.path("metadata").path("deletionGracePeriodSeconds").asLong(0);
            if (graceAsked && grace < graceBefore) {
                Instant end = Instant.parse(marked.get()).minusSeconds(graceBefore - grace);
                setDeletion(object, end, grace);
                return held || grace > 0;
            }
            return held || graceBefore > 0;
        }
        if (!held && grace == 0) {
            return false;
        }
        setDeletion(object, write.registry().timers().instant().plusSeconds(grace), grace);
        if (Metadata.generation(object) > 0) {
            Metadata.setGeneration(object, Metadata.generation(object) + 1);
        }
        write.endpoint().strategy().beginDelete(write, object);
        return true;
    }

    private static void setDeletion(ObjectNode object, Instant end, long grace) {
        Metadata.of(object).put("deletionTimestamp", Registry.seconds(end)).put("deletionGracePeriodSeconds", grace);
    }

    private static List<String> finalizers(ObjectNode before, Propagation propagation, Traits traits) {
        List<String> finalizers = new ArrayList<>(Metadata.finalizers(before));
        Propagation chosen = propagation;
        if (chosen == Propagation.UNSAID) {
            chosen = finalizers.contains(ORPHAN)
                    ? Propagation.ORPHAN
                    : finalizers.contains(FOREGROUND)
                            ? Propagation.FOREGROUND
                            : traits.has(Trait.ORPHANS_BY_DEFAULT) ? Propagation.ORPHAN : Propagation.BACKGROUND;
        }
        boolean orphaned = finalizers.remove(ORPHAN);
        boolean foreground = finalizers.remove(FOREGROUND);
        if (Metadata.deleting(before) && propagation == Propagation.UNSAID) {
            if (orphaned) {
                finalizers.add(ORPHAN);
            }
            if (foreground) {
                finalizers.add(FOREGROUND);
            }
            return finalizers;
        }
        switch (chosen) {
            case ORPHAN -> finalizers.add(ORPHAN);
            case FOREGROUND -> finalizers.add(FOREGROUND);
            case BACKGROUND, UNSAID -> {}
        }
        return finalizers;
    }

    private static void checkPreconditions(Endpoint endpoint, ObjectNode before, DeleteOptions options) {
        String name = Metadata.name(before);
        if (!options.uid().isEmpty() && !options.uid().equals(Metadata.uid(before))) {
            throw ApiException.conflict(
                    endpoint.resource(),
                    name,
                    "Precondition failed: UID in precondition: " + options.uid() + ", UID in object meta: "
                            + Metadata.uid(before));
        }
        if (!options.resourceVersion().isEmpty()
                && !options.resourceVersion().equals(Metadata.resourceVersion(before))) {
            throw ApiException.conflict(
                    endpoint.resource(),
                    name,
                    "Precondition failed: ResourceVersion in precondition: " + options.resourceVersion()
                            + ", ResourceVersion in object meta: " + Metadata.resourceVersion(before));
        }
    }
}
