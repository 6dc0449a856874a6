package io.atoll.scheduler.grouper;

import io.atoll.client.Client;
import io.atoll.client.Discovery;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the owners of pods, of whatever kind the cluster serves. Any thread.
 *
 * <p>What is served is asked for once, and again only after a CustomResourceDefinition has changed: a kind that nobody
 * serves costs no more than one that is.
 */
final class OwnerChains implements Surroundings, AutoCloseable {
    private static final int DEPTH_MAX = 16;

    private record GroupKind(String group, String kind) {}

    private final Client client;
    private final ObjectCache cache;
    private final Discovery discovery;
    private final ObjectCache.Subscription definitions;
    private Optional<Map<GroupKind, ResourceType>> served = Optional.empty();
    private long generation;

    OwnerChains(Client client, ObjectCache cache) {
        this.client = client;
        this.cache = cache;
        this.discovery = new Discovery(client);
        this.definitions = cache.subscribe(BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS, (_, _) -> forgetWhatIsServed());
    }

    /** The pod with its owners up to the last one that can be found. */
    Workload workload(ObjectNode pod) {
        List<Owner> owners = new ArrayList<>();
        Set<String> seen = new HashSet<>(Set.of(Metadata.uid(pod)));
        Optional<OwnerReference> next = owner(pod);
        while (next.isPresent()
                && owners.size() < DEPTH_MAX
                && seen.add(next.get().uid())) {
            OwnerReference reference = next.get();
            Optional<ObjectNode> object = find(Metadata.namespace(pod), reference);
            if (object.isEmpty()) {
                owners.add(Owner.unknown(reference));
                break;
            }
            owners.add(Owner.of(object.get()));
            next = owner(object.get());
        }
        return new Workload(pod, owners);
    }

    private static Optional<OwnerReference> owner(ObjectNode object) {
        return Metadata.controller(object)
                .or(() -> Metadata.ownerReferences(object).stream().findFirst());
    }

    /** Empty as well when another object has taken the name. */
    private Optional<ObjectNode> find(String namespace, OwnerReference reference) {
        GroupVersionKind kind = GroupVersionKind.of(reference.apiVersion(), reference.kind());
        return find(kind.group(), kind.kind(), namespace, reference.name())
                .filter(object -> Metadata.uid(object).equals(reference.uid()));
    }

    @Override
    public Optional<ObjectNode> find(String group, String kind, String namespace, String name) {
        return type(group, kind)
                .flatMap(type -> client.find(type, type.namespaced() ? namespace : "", name))
                .map(object -> object.has("kind") ? object : object.put("kind", kind));
    }

    @Override
    public boolean priorityClassExists(String name) {
        return cache.get(BuiltInTypes.PRIORITY_CLASSES, "", name).isPresent();
    }

    @Override
    public List<ObjectNode> podsLabelled(String namespace, String key, String value) {
        return cache.list(BuiltInTypes.PODS, namespace).stream()
                .filter(pod -> value.equals(pod.metadata().labels().get(key)))
                .map(StoredObject::tree)
                .toList();
    }

    private Optional<ResourceType> type(String group, String kind) {
        return Optional.ofNullable(served().get(new GroupKind(group, kind)));
    }

    private Map<GroupKind, ResourceType> served() {
        long asked;
        synchronized (this) {
            if (served.isPresent()) {
                return served.get();
            }
            asked = generation;
        }
        Map<GroupKind, ResourceType> types = new HashMap<>();
        for (ResourceType type : discovery.served().preferred()) {
            if (type.verbs().contains("get")) {
                types.putIfAbsent(new GroupKind(type.group(), type.kind()), type);
            }
        }
        synchronized (this) {
            if (asked == generation) {
                served = Optional.of(types);
            }
        }
        return types;
    }

    private synchronized void forgetWhatIsServed() {
        generation++;
        served = Optional.empty();
    }

    @Override
    public void close() {
        definitions.close();
    }
}
