package io.atoll.scheduler;

import io.atoll.scheduler.core.GpuShare;
import java.math.BigDecimal;
import java.math.RoundingMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what part of a GPU a pod asks for off its annotations. Stateless. */
final class GpuShareReader {
    static final String FRACTION = "gpu-fraction";
    static final String MEMORY = "gpu-memory";
    static final String DEVICES = "gpu-fraction-num-devices";

    private GpuShareReader() {}

    /** Malformed annotations, which admission rejects, count as none. */
    static GpuShare read(ObjectNode pod) {
        JsonNode annotations = pod.path("metadata").path("annotations");
        String fraction = annotations.path(FRACTION).asString("");
        String memory = annotations.path(MEMORY).asString("");
        if (fraction.isEmpty() && memory.isEmpty()) {
            return GpuShare.NONE;
        }
        try {
            String devices = annotations.path(DEVICES).asString("");
            int count = devices.isEmpty() ? 1 : Integer.parseInt(devices);
            if (!fraction.isEmpty()) {
                BigDecimal portion = new BigDecimal(fraction);
                boolean fits = portion.signum() > 0 && portion.compareTo(BigDecimal.ONE) <= 0;
                return fits && count > 0
                        ? new GpuShare(
                                portion.movePointRight(6)
                                        .setScale(0, RoundingMode.CEILING)
                                        .longValueExact(),
                                0,
                                count)
                        : GpuShare.NONE;
            }
            int mebibytes = Integer.parseInt(memory);
            return mebibytes > 0 && count > 0 ? new GpuShare(0, mebibytes, count) : GpuShare.NONE;
        } catch (NumberFormatException e) {
            return GpuShare.NONE;
        }
    }
}
