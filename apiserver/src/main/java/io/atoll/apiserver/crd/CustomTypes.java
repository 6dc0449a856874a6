package io.atoll.apiserver.crd;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.registry.DeleteOptions;
import io.atoll.apiserver.registry.Deletion;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.registry.Update;
import io.atoll.apiserver.registry.Write;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps what one cluster serves in step with its CustomResourceDefinitions. Called after each write of one, before the
 * client gets its answer, so that what has been created can be used at once. Guarded by itself.
 */
public final class CustomTypes {
    static final GroupResource DEFINITIONS = new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");
    static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    private static final Duration CLEANUP_INTERVAL = Duration.ofMillis(500);
    private static final UserInfo SYSTEM = UserInfo.of("system:apiserver", UserInfo.SYSTEM_MASTERS);

    private record Known(long revision, List<Endpoint> endpoints) {}

    private final Registry registry;
    private Map<String, Known> known = Map.of();
    /** Definitions whose objects are being deleted. */
    private final Set<String> cleaning = new HashSet<>();

    public CustomTypes(Registry registry) {
        this.registry = registry;
    }

    /** Reads the definitions again; only those that changed are read anew. */
    public synchronized void refresh() {
        List<CachedObject> definitions = registry.list(DEFINITIONS, "");
        if (definitions.isEmpty() && known.isEmpty()) {
            return;
        }
        Map<String, Known> next = new HashMap<>();
        List<Endpoint> all = new ArrayList<>();
        boolean changed = definitions.size() != known.size();
        for (CachedObject definition : definitions) {
            Known before = known.get(definition.name());
            if (before == null || before.revision != definition.revision()) {
                ObjectNode tree = definition.tree();
                before = new Known(definition.revision(), CustomEndpoints.of(tree));
                changed = true;
                if (Metadata.deleting(tree)) {
                    startCleanup(definition.name());
                }
            }
            next.put(definition.name(), before);
            all.addAll(before.endpoints);
        }
        known = next;
        if (changed) {
            all.sort(CustomEndpoints.PREFERRED_FIRST);
            registry.endpoints().replaceCustom(all);
        }
    }

    private void startCleanup(String name) {
        if (cleaning.add(name)) {
            registry.timers().after(Duration.ZERO, () -> cleanUp(name));
        }
    }

    /** Deletes a definition's objects, and lets the definition go once they are gone. */
    private void cleanUp(String name) {
        ObjectNode definition =
                registry.find(DEFINITIONS, "", name).map(CachedObject::tree).orElse(null);
        if (definition == null || !Metadata.finalizers(definition).contains(CLEANUP)) {
            synchronized (this) {
                cleaning.remove(name);
            }
            return;
        }
        boolean left = false;
        for (Endpoint endpoint : CustomEndpoints.of(definition)) {
            if (!endpoint.type().equals(endpoint.storage())) {
                continue;
            }
            for (CachedObject object : registry.list(endpoint.storedAs(), "")) {
                left = true;
                deleteQuietly(endpoint, object);
            }
            left = left && !registry.list(endpoint.storedAs(), "").isEmpty();
        }
        if (left) {
            registry.timers().after(CLEANUP_INTERVAL, () -> cleanUp(name));
            return;
        }
        release(name);
        synchronized (this) {
            cleaning.remove(name);
        }
    }

    private void deleteQuietly(Endpoint endpoint, CachedObject object) {
        try {
            if (!Metadata.deleting(object.tree())) {
                Deletion.delete(
                        Write.of(registry, SYSTEM, endpoint, object.namespace()), object.name(), DeleteOptions.DEFAULT);
            }
        } catch (ApiException e) {
            if (e.reason() != StatusReason.NotFound) {
                throw e;
            }
        }
    }

    private void release(String name) {
        Endpoint endpoint = registry.endpoints().endpoint(DEFINITIONS).orElseThrow();
        try {
            Update.update(Write.of(registry, SYSTEM, endpoint, ""), name, definition -> {
                List<String> finalizers = new ArrayList<>(Metadata.finalizers(definition));
                finalizers.remove(CLEANUP);
                Metadata.setFinalizers(definition, finalizers);
                return definition;
            });
        } catch (ApiException e) {
            if (e.reason() != StatusReason.NotFound) {
                throw e;
            }
        }
    }
}
