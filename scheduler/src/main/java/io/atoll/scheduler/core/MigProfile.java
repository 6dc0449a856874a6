package io.atoll.scheduler.core;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The share of a GPU that a MIG slice is, by its resource name. Stateless.
 *
 * <p>A GPU that can be sliced has seven compute slices, an A30 four. Slices of the A30 are told by their memory: 6, 12
 * or 24 GB, which no GPU of seven slices has with the same count. Source: NVIDIA's MIG user guide, supported profiles.
 */
public final class MigProfile {
    private static final Pattern NAME = Pattern.compile("nvidia\\.com/mig-(\\d{1,2})g\\.(\\d{1,4})gb(?:\\..+)?");
    private static final int SLICES = 7;
    private static final int SLICES_OF_A30 = 4;

    private MigProfile() {}

    /** The share in millionths of a GPU; 0 when the name is not a MIG slice's. */
    public static long share(String resource) {
        Matcher matcher = NAME.matcher(resource);
        if (!matcher.matches()) {
            return 0;
        }
        int slices = Integer.parseInt(matcher.group(1));
        int gigabytes = Integer.parseInt(matcher.group(2));
        int of = isOfA30(slices, gigabytes) ? SLICES_OF_A30 : SLICES;
        return Math.ceilDiv(slices * GpuShare.WHOLE, of);
    }

    private static boolean isOfA30(int slices, int gigabytes) {
        return (slices == 1 && gigabytes == 6) || (slices == 2 && gigabytes == 12) || (slices == 4 && gigabytes == 24);
    }
}
