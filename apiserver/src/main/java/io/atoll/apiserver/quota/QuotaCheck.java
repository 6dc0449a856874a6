package io.atoll.apiserver.quota;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Refuses what would exceed a ResourceQuota of its namespace.
 *
 * <p>Usage is counted from the stored objects, not from the quota's status, so it is never stale. What was let in but is
 * not in the watch cache yet is remembered as a reservation; checks of one cluster run one after another, so two writes
 * at the same time cannot both take the last place.
 */
final class QuotaCheck implements Admission {
    private static final GroupResource QUOTAS = new GroupResource("", "resourcequotas");

    /** A write that has not come through by then has failed. */
    private static final Duration RESERVATION_LIFE = Duration.ofSeconds(10);

    private final ObjectReader objects;
    private final InstantSource clock;
    private final Map<Place, Reservation> reservations = new ConcurrentHashMap<>();
    private final Set<GroupResource> followed = new HashSet<>();

    private record Place(GroupResource resource, String namespace, String name) {}

    private record Reservation(ObjectNode object, Instant ends) {}

    QuotaCheck(ObjectReader objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    @Override
    public void validate(AdmissionRequest request) {
        ObjectNode object = request.object();
        boolean writes = request.operation() == Operation.CREATE || request.operation() == Operation.UPDATE;
        if (object == null
                || !writes
                || request.namespace().isEmpty()
                || !request.subresource().isEmpty()) {
            return;
        }
        List<ObjectNode> quotas = quotas(request.namespace());
        if (!quotas.isEmpty()) {
            check(request, object, quotas);
        }
    }

    private synchronized void check(AdmissionRequest request, ObjectNode object, List<ObjectNode> quotas) {
        GroupResource resource = request.resource().type().groupResource();
        Amounts wanted = Usage.of(resource, object);
        ObjectNode before = request.before();
        if (before != null) {
            wanted = growth(wanted, Usage.of(resource, before));
        }
        boolean counted = false;
        for (ObjectNode quota : quotas) {
            JsonNode spec = quota.path("spec");
            if (!Usage.inScope(spec, resource, object)) {
                continue;
            }
            Amounts hard = Amounts.of(spec.path("hard"));
            counted |= hard.values().keySet().stream().anyMatch(wanted::has);
            if (request.operation() == Operation.CREATE && resource.equals(new GroupResource("", "pods"))) {
                requireAmounts(request, object, Metadata.name(quota), hard);
            }
            checkAmounts(request, quota, hard, wanted);
        }
        if (counted && !request.dryRun()) {
            if (followed.add(resource)) {
                objects.subscribe(resource, new Arrivals(resource));
            }
            reservations.put(
                    new Place(resource, request.namespace(), request.name()),
                    new Reservation(object, clock.instant().plus(RESERVATION_LIFE)));
        }
    }

    /** Under a quota of compute resources each container has to say what it takes. */
    private static void requireAmounts(AdmissionRequest request, ObjectNode pod, String quota, Amounts hard) {
        TreeMap<String, TreeSet<String>> missing = new TreeMap<>();
        for (String resource : hard.values().keySet()) {
            for (JsonNode container : pod.path("spec").path("containers")) {
                if (lacks(container.path("resources"), pod.path("spec").path("resources"), resource)) {
                    missing.computeIfAbsent(resource, key -> new TreeSet<>())
                            .add(container.path("name").asString(""));
                }
            }
        }
        if (!missing.isEmpty()) {
            StringJoiner text = new StringJoiner("; ");
            missing.forEach((resource, containers) -> text.add(resource + " for: " + String.join(",", containers)));
            throw refuse(request, "failed quota: " + quota + ": must specify " + text);
        }
    }

    private static boolean lacks(JsonNode container, JsonNode pod, String resource) {
        return switch (resource) {
            case "cpu", "memory" -> lacks(container, pod, "requests", resource);
            case "requests.cpu", "requests.memory" ->
                lacks(container, pod, "requests", resource.substring("requests.".length()));
            case "limits.cpu", "limits.memory" ->
                lacks(container, pod, "limits", resource.substring("limits.".length()));
            default -> false;
        };
    }

    private static boolean lacks(JsonNode container, JsonNode pod, String kind, String resource) {
        return !container.path(kind).has(resource) && !pod.path(kind).has(resource);
    }

    private void checkAmounts(AdmissionRequest request, ObjectNode quota, Amounts hard, Amounts wanted) {
        List<String> names = wanted.values().keySet().stream().filter(hard::has).toList();
        if (names.isEmpty()) {
            return;
        }
        Amounts used = used(request, quota.path("spec"), names);
        Amounts requested = new Amounts();
        Amounts usedShown = new Amounts();
        Amounts limited = new Amounts();
        for (String name : names) {
            Quantity after = used.get(name).add(wanted.get(name));
            if (wanted.get(name).compareTo(Quantity.ZERO) > 0 && after.compareTo(hard.get(name)) > 0) {
                requested.put(name, wanted.get(name));
                usedShown.put(name, used.get(name));
                limited.put(name, hard.get(name));
            }
        }
        if (!requested.values().isEmpty()) {
            throw refuse(
                    request,
                    "exceeded quota: " + Metadata.name(quota) + ", requested: " + requested + ", used: " + usedShown
                            + ", limited: " + limited);
        }
    }

    /** What the objects of the same resource in the namespace use, those on their way in included. */
    private Amounts used(AdmissionRequest request, JsonNode quotaSpec, List<String> names) {
        GroupResource resource = request.resource().type().groupResource();
        TreeMap<String, ObjectNode> present = new TreeMap<>();
        for (byte[] encoded : objects.list(resource, request.namespace())) {
            ObjectNode object = Json.parse(encoded);
            present.put(Metadata.name(object), object);
        }
        Instant now = clock.instant();
        reservations.values().removeIf(reservation -> !reservation.ends().isAfter(now));
        reservations.forEach((place, reservation) -> {
            if (place.resource().equals(resource) && place.namespace().equals(request.namespace())) {
                present.putIfAbsent(place.name(), reservation.object());
            }
        });
        if (request.operation() == Operation.CREATE) {
            present.remove(request.name());
        }
        Amounts used = new Amounts();
        for (Map.Entry<String, ObjectNode> entry : present.entrySet()) {
            if (Usage.inScope(quotaSpec, resource, entry.getValue())) {
                Amounts own = Usage.of(resource, entry.getValue());
                names.forEach(name -> used.add(name, own.get(name)));
            }
        }
        return used;
    }

    private static Amounts growth(Amounts after, Amounts before) {
        Amounts growth = new Amounts();
        after.values().forEach((resource, quantity) -> growth.put(resource, quantity.subtract(before.get(resource))));
        return growth;
    }

    private List<ObjectNode> quotas(String namespace) {
        List<ObjectNode> quotas = new ArrayList<>();
        for (byte[] quota : objects.list(QUOTAS, namespace)) {
            quotas.add(Json.parse(quota));
        }
        return quotas;
    }

    private static ApiException refuse(AdmissionRequest request, String why) {
        return ApiException.forbidden(request.resource().type().groupResource(), request.name(), why);
    }

    /** Drops reservations of objects that have come through. */
    private final class Arrivals implements ObjectReader.Listener {
        private final GroupResource resource;

        Arrivals(GroupResource resource) {
            this.resource = resource;
        }

        @Override
        public void onAdded(byte[] object) {
            if (!reservations.isEmpty()) {
                ObjectNode arrived = Json.parse(object);
                reservations.remove(new Place(resource, Metadata.namespace(arrived), Metadata.name(arrived)));
            }
        }

        @Override
        public void onUpdated(byte[] before, byte[] object) {
            onAdded(object);
        }

        @Override
        public void onDeleted(byte[] last) {
            onAdded(last);
        }
    }
}
