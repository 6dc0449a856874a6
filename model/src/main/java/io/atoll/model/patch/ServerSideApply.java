package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.patch.ManagedFields.Owner;
import io.atoll.model.schema.Schema;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Server-side apply, and the tracking of every other write that it depends on. Objects come without defaults that the
 * caller has not applied yet; {@code metadata.managedFields} of the results is what is to be stored. Stateless; any
 * thread.
 */
public final class ServerSideApply {
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    /** What no manager can own. */
    private static final FieldSet SERVER_FIELDS = FieldSet.of(
            "apiVersion",
            "kind",
            "metadata",
            "metadata.name",
            "metadata.namespace",
            "metadata.creationTimestamp",
            "metadata.selfLink",
            "metadata.uid",
            "metadata.clusterName",
            "metadata.generation",
            "metadata.managedFields",
            "metadata.resourceVersion");

    private ServerSideApply() {}

    /**
     * Who writes what.
     *
     * @param manager the field manager
     * @param apiVersion of the written object
     * @param subresource empty for the object itself
     * @param ignored paths that this request cannot change: {@code status} for the object of a type that has the
     *     subresource, {@code spec} for its status
     */
    public record Write(String manager, String apiVersion, String subresource, FieldSet ignored, Instant now) {
        Owner owner(boolean applies) {
            return new Owner(manager, applies, applies ? "" : apiVersion, subresource);
        }

        String time() {
            return now.truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }

    /**
     * The live object with what the manager applies, without what it applied before and nobody else owns.
     *
     * @param live null when the object does not exist yet
     * @throws ApiException 409 with one cause per field that another manager owns, unless forced
     */
    public static ObjectNode apply(
            @Nullable Schema schema, @Nullable ObjectNode live, ObjectNode applied, Write write, boolean force) {
        if (applied.path("metadata").has("managedFields")) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
        checkTypes(schema, applied);
        ObjectNode before = live == null ? Json.object() : withoutManagedFields(live);
        ManagedFields owners = ManagedFields.of(live);
        if (live != null && owners.isEmpty()) {
            trackFirst(schema, before, write, owners);
        }
        Owner owner = write.owner(true);
        FieldSet last = owners.fields(owner);
        FieldSet claimed = ObjectFields.of(schema, applied).without(write.ignored());

        ObjectNode merged = ObjectMerge.merge(schema, before, applied);
        // Again, for what is applied empty: taking its last field out took it along.
        merged = ObjectMerge.merge(schema, prune(schema, merged, owners, owner, claimed, last), applied);

        Comparison comparison = Comparison.of(schema, before, merged).without(write.ignored());
        owners.set(
                owner, write.apiVersion(), claimed.difference(SERVER_FIELDS), write.time(), !Json.same(before, merged));
        boolean forced =
                force || LastApplied.allows(schema, before, write.manager(), conflicts(comparison, owners, owner));
        takeOver(comparison, owners, owner, forced);
        LastApplied.refresh(before, merged, applied, write.manager());
        owners.joinOldUpdaters();
        owners.writeTo(merged);
        return merged;
    }

    /**
     * Records a create, update or patch: sets {@code metadata.managedFields} of the written object. What the writer sent
     * there counts: a client may edit the list, and an empty one makes the server forget.
     *
     * @param live null for a create
     */
    public static void track(@Nullable Schema schema, @Nullable ObjectNode live, ObjectNode written, Write write) {
        if (ManagedFields.isReset(written)) {
            Metadata.of(written).remove("managedFields");
            return;
        }
        ManagedFields owners = ManagedFields.readable(written).orElseGet(() -> ManagedFields.of(live));
        Metadata.of(written).remove("managedFields");
        if (live != null && owners.isEmpty()) {
            return;
        }
        update(schema, live == null ? Json.object() : withoutManagedFields(live), written, write, owners);
        owners.writeTo(written);
    }

    private static void update(
            @Nullable Schema schema, ObjectNode before, ObjectNode written, Write write, ManagedFields owners) {
        Owner owner = write.owner(false);
        Comparison comparison = Comparison.of(schema, before, written).without(write.ignored());
        takeOver(comparison, owners, owner, true);
        FieldSet fields = owners.fields(owner)
                .difference(comparison.removed())
                .union(comparison.changed())
                .difference(SERVER_FIELDS);
        boolean touched = !comparison.changed().difference(SERVER_FIELDS).isEmpty();
        owners.set(owner, write.apiVersion(), fields, write.time(), touched);
        owners.joinOldUpdaters();
    }

    /** An object from before anyone applied: all that it holds is somebody's. */
    private static void trackFirst(@Nullable Schema schema, ObjectNode live, Write write, ManagedFields owners) {
        update(
                schema,
                Json.object(),
                live,
                new Write(BEFORE_FIRST_APPLY, write.apiVersion(), "", write.ignored(), write.now()),
                owners);
    }

    /** Drops what the manager applied last time but not now, unless somebody still owns it. */
    private static ObjectNode prune(
            @Nullable Schema schema,
            ObjectNode merged,
            ManagedFields owners,
            Owner writer,
            FieldSet claimed,
            FieldSet last) {
        if (last.isEmpty()) {
            return merged;
        }
        FieldSet lastPaths = ObjectFields.withParents(schema, last);
        ObjectNode pruned = ObjectMerge.remove(schema, merged, lastPaths);
        FieldSet owned = claimed;
        for (Map.Entry<Owner, ManagedFields.Entry> entry : owners.entries().entrySet()) {
            if (!entry.getKey().equals(writer)) {
                owned = owned.union(entry.getValue().fields());
            }
        }
        FieldSet all = ObjectFields.withParents(schema, ObjectFields.of(schema, merged));
        FieldSet kept = ObjectFields.withParents(schema, ObjectFields.of(schema, pruned))
                .union(ObjectFields.withParents(schema, owned));
        ObjectNode withOwned = ObjectMerge.remove(schema, merged, all.difference(kept));
        FieldSet left = ObjectFields.withParents(schema, ObjectFields.of(schema, withOwned));
        return ObjectMerge.remove(schema, merged, all.difference(left).intersection(lastPaths));
    }

    private static Map<Owner, FieldSet> conflicts(Comparison comparison, ManagedFields owners, Owner writer) {
        Map<Owner, FieldSet> conflicts = new LinkedHashMap<>();
        owners.entries().forEach((owner, entry) -> {
            FieldSet contested = entry.fields().intersection(comparison.changed());
            if (!owner.equals(writer) && !contested.isEmpty()) {
                conflicts.put(owner, contested);
            }
        });
        return conflicts;
    }

    private static void takeOver(Comparison comparison, ManagedFields owners, Owner writer, boolean force) {
        Map<Owner, FieldSet> conflicts = conflicts(comparison, owners, writer);
        if (!force && !conflicts.isEmpty()) {
            throw ApplyConflict.of(conflicts);
        }
        conflicts.forEach(owners::take);
        for (Owner owner : List.copyOf(owners.entries().keySet())) {
            if (!owner.equals(writer)) {
                owners.take(owner, comparison.removed());
            }
        }
    }

    private static void checkTypes(@Nullable Schema schema, ObjectNode applied) {
        try {
            ObjectFields.check(schema, applied, "");
        } catch (ApiException e) {
            String namespace = Metadata.namespace(applied);
            String apiVersion = applied.path("apiVersion").asString("");
            throw new ApiException(
                    e.reason(),
                    "failed to create typed patch object (" + namespace + "/"
                            + Metadata.name(applied) + "; " + apiVersion + ", Kind="
                            + applied.path("kind").asString("") + "): " + e.getMessage());
        }
    }

    private static ObjectNode withoutManagedFields(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        Metadata.of(copy).remove("managedFields");
        return copy;
    }
}
