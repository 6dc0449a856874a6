package io.atoll.apiserver.registry;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.StatusReason;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Gives out a cluster's Service addresses and node ports. What is in use is read from the Services themselves, so
 * nothing has to be repaired after a crash; what was given out moments ago is remembered until it must have been
 * written. Guarded by itself.
 */
public final class ServiceAddresses {
    /** The address of the {@code kubernetes} Service. */
    public static final String FIRST = "10.96.0.1";

    private static final GroupResource SERVICES = new GroupResource("", "services");
    private static final String NETWORK = "10.96.";
    private static final int HOSTS = 1 << 16;
    private static final int PORT_MIN = 30000;
    private static final int PORTS = 2768;
    private static final int PENDING_SECONDS = 60;
    private static final int TRIES_MAX = 4096;

    private final Registry registry;
    private final Map<String, Instant> pending = new HashMap<>();

    ServiceAddresses(Registry registry) {
        this.registry = registry;
    }

    public synchronized String nextAddress() {
        Set<String> used = usedAddresses();
        for (int i = 0; i < TRIES_MAX; i++) {
            int host = 2 + registry.random().nextInt(HOSTS - 3);
            String address = NETWORK + (host >> 8) + "." + (host & 0xff);
            if (!used.contains(address) && take(address)) {
                return address;
            }
        }
        throw new ApiException(StatusReason.InternalError, "failed to allocate a serviceIP: range is full");
    }

    /** Notes an address that a client chose, so that nobody else gets it. */
    public synchronized void reserve(String address) {
        pending.put(address, registry.timers().instant());
    }

    public synchronized int nextPort() {
        Set<Integer> used = new HashSet<>();
        for (CachedObject service : registry.list(SERVICES, "")) {
            for (JsonNode port : service.tree().path("spec").path("ports")) {
                used.add(port.path("nodePort").asInt(0));
            }
        }
        for (int i = 0; i < TRIES_MAX; i++) {
            int port = PORT_MIN + registry.random().nextInt(PORTS);
            if (!used.contains(port) && take(Integer.toString(port))) {
                return port;
            }
        }
        throw new ApiException(StatusReason.InternalError, "failed to allocate a nodePort: range is full");
    }

    private boolean take(String what) {
        Instant now = registry.timers().instant();
        pending.values().removeIf(given -> given.plusSeconds(PENDING_SECONDS).isBefore(now));
        return pending.putIfAbsent(what, now) == null;
    }

    private Set<String> usedAddresses() {
        Set<String> used = new HashSet<>();
        SelectableFields fields =
                registry.endpoints().endpoint(SERVICES).map(Endpoint::fields).orElse(SelectableFields.METADATA);
        for (CachedObject service : registry.list(SERVICES, "")) {
            used.add(service.fields(fields).getOrDefault("spec.clusterIP", ""));
        }
        return used;
    }
}
