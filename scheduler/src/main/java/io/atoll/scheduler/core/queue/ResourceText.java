package io.atoll.scheduler.core.queue;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts in the units that people read: GPUs, CPU cores, and GB of 10^9 bytes. Stateless. */
public final class ResourceText {
    private static final int DECIMALS_MAX = 3;

    private ResourceText() {}

    /** What the resource is called in messages: GPU, CPU or memory. */
    public static String name(int resource) {
        return switch (resource) {
            case ResourceVector.GPU -> "GPU";
            case ResourceVector.CPU -> "CPU";
            case ResourceVector.MEMORY -> "memory";
            default -> throw new IllegalArgumentException("no resource " + resource);
        };
    }

    /** Number and unit, for example {@code 16 GPUs}. */
    public static String amount(int resource, long amount) {
        String number = number(resource, amount);
        return switch (resource) {
            case ResourceVector.GPU -> number + (number.equals("1") ? " GPU" : " GPUs");
            case ResourceVector.CPU -> number + (number.equals("1") ? " CPU core" : " CPU cores");
            case ResourceVector.MEMORY -> number + " GB of memory";
            default -> throw new IllegalArgumentException("no resource " + resource);
        };
    }

    /** The number alone, in the unit that {@link #amount} names. */
    public static String number(int resource, long amount) {
        if (amount == ResourceVector.UNLIMITED) {
            return "unlimited";
        }
        BigDecimal exact = BigDecimal.valueOf(amount, unitDigits(resource));
        BigDecimal rounded = exact.setScale(DECIMALS_MAX, RoundingMode.HALF_UP);
        // A little is not nothing: what would round to zero is shown in full.
        BigDecimal shown = rounded.signum() == 0 && amount != 0 ? exact : rounded;
        return shown.signum() == 0 ? "0" : shown.stripTrailingZeros().toPlainString();
    }

    private static int unitDigits(int resource) {
        return switch (resource) {
            case ResourceVector.GPU -> 6;
            case ResourceVector.CPU -> 3;
            case ResourceVector.MEMORY -> 9;
            default -> throw new IllegalArgumentException("no resource " + resource);
        };
    }
}
