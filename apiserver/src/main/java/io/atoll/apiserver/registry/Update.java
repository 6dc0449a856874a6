package io.atoll.apiserver.registry;

import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.store.Store;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes an object that is there: read, edit, prepare, validate, commit; again from the latest state when another
 * write came first and the client did not name the version it meant.
 */
public final class Update {
    /** A write that loses this many races gives up with a conflict. */
    private static final int ATTEMPTS_MAX = 64;

    private Update() {}

    /** Makes the new object, in the served version, out of the current one. May be called again after a lost race. */
    public interface Edit {
        ObjectNode apply(ObjectNode current);
    }

    /** Says what to create when there is nothing to update; throws when that is not allowed. */
    public interface Absent {
        ObjectNode toCreate();
    }

    /** What became of it. */
    public record Outcome(CachedObject object, boolean created) {}

    /** Updates an object, or creates it if {@code absent} says so. */
    public static Outcome update(Write write, String name, Edit edit, Absent absent) {
        Endpoint endpoint = write.endpoint();
        Registry registry = write.registry();
        for (int attempt = 1; ; attempt++) {
            Optional<CachedObject> current = attempt == 1
                    ? registry.find(endpoint.storedAs(), write.namespace(), name)
                    : registry.latest(endpoint, write.namespace(), name);
            if (current.isEmpty()) {
                ObjectNode object = absent.toCreate();
                try {
                    return new Outcome(Creation.create(write, object), true);
                } catch (ApiException e) {
                    if (e.reason() != io.atoll.model.StatusReason.AlreadyExists || attempt > 2) {
                        throw e;
                    }
                    continue;
                }
            }
            Optional<CachedObject> done = attempt(write, current.get(), edit);
            if (done.isPresent()) {
                return new Outcome(done.get(), false);
            }
            if (attempt == ATTEMPTS_MAX) {
                throw modified(endpoint, name);
            }
        }
    }

    /** Updates an object that must be there. */
    public static CachedObject update(Write write, String name, Edit edit) {
        return update(write, name, edit, () -> {
                    throw ApiException.notFound(write.endpoint().resource(), name);
                })
                .object();
    }

    /** Empty when another write came first. */
    private static Optional<CachedObject> attempt(Write write, CachedObject current, Edit edit) {
        Endpoint endpoint = write.endpoint();
        String name = current.name();
        ObjectNode before = current.tree();
        ObjectNode edited = edit.apply(endpoint.conversion().fromStorage(before.deepCopy()));
        checkIdentity(endpoint, edited, before, name);
        ObjectNode object = endpoint.conversion().toStorage(edited);

        SystemMetadata.carryOver(object, before);
        boolean status = write.subresource().equals("status");
        if (status) {
            object = onlyStatus(endpoint, object, before);
        } else if (!write.subresource().isEmpty()) {
            object = endpoint.strategy().throughSubresource(write, object, before);
        }
        endpoint.strategy().applyDefaults(object);
        AdmissionRequest admission = new AdmissionRequest(
                write.user(),
                Operation.UPDATE,
                endpoint.served(),
                write.subresource(),
                write.namespace(),
                name,
                object,
                before,
                write.dryRun());
        write.registry().admission().forEach(plugin -> plugin.admit(admission));
        prepare(write, object, before, status);
        FieldOwners.track(write, before, object);

        Mistakes mistakes = new Mistakes();
        MetadataRules.validate(endpoint, object, mistakes);
        Validations.validate(endpoint, object, mistakes);
        Validations.validateUpdate(write, object, before, mistakes);
        mistakes.throwIfAny(endpoint.type().groupVersionKind(), name);
        write.registry().admission().forEach(plugin -> plugin.validate(admission));
        return commit(write, current, object, before);
    }

    private static Optional<CachedObject> commit(
            Write write, CachedObject current, ObjectNode object, ObjectNode before) {
        Endpoint endpoint = write.endpoint();
        if (write.dryRun()) {
            return Optional.of(CachedObject.of(current.path(), StoredForm.encode(object), current.revision()));
        }
        Metadata.setResourceVersion(object, Metadata.resourceVersion(before));
        boolean gone = Metadata.deleting(object)
                && Metadata.finalizers(object).isEmpty()
                && object.path("metadata").path("deletionGracePeriodSeconds").asLong(0) == 0
                && !endpoint.strategy().holdsDeletion(object);
        if (!gone && Json.same(object, before)) {
            return Optional.of(current);
        }
        byte[] stored = StoredForm.encode(object);
        Store.CommitResult result = gone
                ? write.registry().commitDelete(endpoint, current)
                : write.registry().commitUpdate(endpoint, current, stored);
        return switch (result) {
            case Store.CommitResult.Committed done -> {
                endpoint.strategy().committed(write);
                yield Optional.of(
                        CachedObject.of(current.path(), stored, done.entry().modRevision()));
            }
            case Store.CommitResult.Conflict _, Store.CommitResult.Aborted _ -> Optional.empty();
        };
    }

    private static void prepare(Write write, ObjectNode object, ObjectNode before, boolean status) {
        Endpoint endpoint = write.endpoint();
        Traits traits = endpoint.strategy().traits();
        if (status) {
            endpoint.strategy().prepareStatusUpdate(write, object, before);
            return;
        }
        if (write.subresource().isEmpty() && endpoint.hasStatus() && !traits.has(Trait.KEEPS_STATUS)) {
            JsonNode old = before.get("status");
            if (old == null) {
                object.remove("status");
            } else {
                object.set("status", old);
            }
        }
        endpoint.strategy().prepareUpdate(write, object, before);
        if (traits.has(Trait.GENERATION) && contentChanged(object, before)) {
            Metadata.setGeneration(object, Metadata.generation(before) + 1);
        }
    }

    /** What a write through {@code /status} leaves of the object that was sent. */
    private static ObjectNode onlyStatus(Endpoint endpoint, ObjectNode sent, ObjectNode before) {
        ObjectNode object = before.deepCopy();
        JsonNode status = sent.get("status");
        if (status == null) {
            object.remove("status");
        } else {
            object.set("status", status);
        }
        ObjectNode metadata = Metadata.of(object);
        JsonNode from = sent.path("metadata");
        String[] fields = endpoint.strategy().traits().has(Trait.STATUS_CHANGES_METADATA)
                ? new String[] {"labels", "annotations", "finalizers", "managedFields"}
                : new String[] {"managedFields"};
        for (String field : fields) {
            if (from.has(field)) {
                metadata.set(field, from.path(field));
            } else {
                metadata.remove(field);
            }
        }
        return object;
    }

    static boolean contentChanged(ObjectNode object, ObjectNode before) {
        return !covers(object, before) || !covers(before, object);
    }

    private static boolean covers(ObjectNode object, ObjectNode other) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (Arrays.asList("metadata", "status", "apiVersion", "kind").contains(field.getKey())) {
                continue;
            }
            JsonNode value = other.get(field.getKey());
            if (value == null || !Json.same(field.getValue(), value)) {
                return false;
            }
        }
        return true;
    }

    private static void checkIdentity(Endpoint endpoint, ObjectNode object, ObjectNode before, String name) {
        String sentName = Metadata.name(object);
        if (!sentName.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (" + sentName + ") does not match the name on the URL (" + name + ")");
        }
        String uid = Metadata.uid(object);
        if (!uid.isEmpty() && !uid.equals(Metadata.uid(before))) {
            throw ApiException.conflict(
                    endpoint.resource(),
                    name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                            + Metadata.uid(before));
        }
        String version = Metadata.resourceVersion(object);
        if (version.isEmpty() || version.equals("0")) {
            if (endpoint.strategy().traits().has(Trait.CONDITIONAL_UPDATE)) {
                Mistakes mistakes = new Mistakes();
                mistakes.invalid("metadata.resourceVersion", 0, "must be specified for an update");
                mistakes.throwIfAny(endpoint.type().groupVersionKind(), name);
            }
        } else if (!version.equals(Metadata.resourceVersion(before))) {
            throw modified(endpoint, name);
        }
    }

    private static ApiException modified(Endpoint endpoint, String name) {
        return ApiException.conflict(
                endpoint.resource(),
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }
}
