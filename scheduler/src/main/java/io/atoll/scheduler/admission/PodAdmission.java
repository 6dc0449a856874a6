package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SchedulingKeys;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods that ask for parts of GPUs: whether what they ask makes sense. The first mistake is told. Stateless. */
public final class PodAdmission {
    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final String MIG = "nvidia.com/mig-";
    private static final List<String> SHARING = List.of(
            SchedulingKeys.GPU_FRACTION,
            SchedulingKeys.GPU_MEMORY,
            SchedulingKeys.GPU_FRACTION_DEVICES,
            SchedulingKeys.GPU_FRACTION_CONTAINER,
            SchedulingKeys.MPS);

    private PodAdmission() {}

    /** @throws ApiException 403 */
    public static void validateCreate(ObjectNode pod, PodAdmissionOptions options) {
        if (options.admits(pod)) {
            mistake(pod, options.gpuSharing()).ifPresent(why -> {
                throw ApiException.forbidden(PODS, Metadata.name(pod), why);
            });
        }
    }

    /**
     * A pod that was let in before stays as it is as long as nobody changes what it asks: finalizers must come off.
     *
     * @throws ApiException 403
     */
    public static void validateUpdate(ObjectNode pod, ObjectNode before, PodAdmissionOptions options) {
        boolean same = SHARING.stream()
                .allMatch(key -> Metadata.annotation(pod, key).equals(Metadata.annotation(before, key)));
        if (!same) {
            validateCreate(pod, options);
        }
    }

    /** The first mistake, in KAI's order. */
    static Optional<String> mistake(ObjectNode pod, boolean gpuSharing) {
        String fraction = Metadata.annotation(pod, SchedulingKeys.GPU_FRACTION);
        String memory = Metadata.annotation(pod, SchedulingKeys.GPU_MEMORY);
        String devices = Metadata.annotation(pod, SchedulingKeys.GPU_FRACTION_DEVICES);
        boolean hasFraction = has(pod, SchedulingKeys.GPU_FRACTION);
        boolean hasMemory = has(pod, SchedulingKeys.GPU_MEMORY);
        boolean hasDevices = has(pod, SchedulingKeys.GPU_FRACTION_DEVICES);
        boolean shares = hasFraction || hasMemory;
        if (shares && !gpuSharing) {
            return Optional.of("GPU sharing is disabled; the pod must not be annotated with "
                    + SchedulingKeys.GPU_FRACTION + " or " + SchedulingKeys.GPU_MEMORY);
        }
        if (Metadata.annotation(pod, SchedulingKeys.MPS).equals("true") && !shares) {
            return Optional.of(needsAPart(SchedulingKeys.MPS));
        }
        if (hasFraction && limits(pod, SchedulingKeys.GPU)) {
            return Optional.of(notBoth(SchedulingKeys.GPU_FRACTION, "a limit of " + SchedulingKeys.GPU));
        }
        if (hasMemory && hasFraction) {
            return Optional.of(notBoth(SchedulingKeys.GPU_MEMORY, SchedulingKeys.GPU_FRACTION));
        }
        if (hasMemory && limits(pod, SchedulingKeys.GPU)) {
            return Optional.of(notBoth(SchedulingKeys.GPU_MEMORY, "a limit of " + SchedulingKeys.GPU));
        }
        if (shares && limits(pod, MIG)) {
            return Optional.of(notBoth(
                    hasFraction ? SchedulingKeys.GPU_FRACTION : SchedulingKeys.GPU_MEMORY, "a limit of MIG devices"));
        }
        if (hasDevices && !shares) {
            return Optional.of(needsAPart(SchedulingKeys.GPU_FRACTION_DEVICES));
        }
        if (hasMemory && !positive(memory)) {
            return Optional.of(mustBe(SchedulingKeys.GPU_MEMORY, "a positive whole number of MiB", memory));
        }
        if (hasFraction && !properFraction(fraction)) {
            return Optional.of(mustBe(SchedulingKeys.GPU_FRACTION, "a number above 0 and below 1", fraction));
        }
        if (hasDevices && !positive(devices)) {
            return Optional.of(mustBe(SchedulingKeys.GPU_FRACTION_DEVICES, "a positive whole number", devices));
        }
        return Optional.empty();
    }

    private static boolean has(ObjectNode pod, String annotation) {
        return pod.path("metadata").path("annotations").has(annotation);
    }

    private static String needsAPart(String annotation) {
        return "annotation " + annotation + " needs " + SchedulingKeys.GPU_FRACTION + " or "
                + SchedulingKeys.GPU_MEMORY;
    }

    private static String notBoth(String annotation, String other) {
        return "annotation " + annotation + " and " + other + " exclude each other";
    }

    private static String mustBe(String annotation, String what, String value) {
        return "annotation " + annotation + " must be " + what + ", not \"" + value + "\"";
    }

    /** Whether any container is limited to some of the resources that start like this. */
    private static boolean limits(ObjectNode pod, String resourcePrefix) {
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                JsonNode limits = container.path("resources").path("limits");
                if (limits.propertyNames().stream().anyMatch(name -> name.startsWith(resourcePrefix))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean positive(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9')
                && text.length() <= 18
                && !text.isEmpty()
                && Long.parseLong(text) > 0;
    }

    private static boolean properFraction(String text) {
        try {
            BigDecimal value = new BigDecimal(text);
            return value.signum() > 0 && value.compareTo(BigDecimal.ONE) < 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
