package io.atoll.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Kubernetes quantity such as {@code 500m}, {@code 1.5Gi} or {@code 1e3}. Exact to nano; smaller parts round away
 * from zero. Equality and order are those of the value, whatever the suffix. Immutable.
 */
public final class Quantity implements Comparable<Quantity> {
    private static final Pattern TEXT = Pattern.compile("([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+))(.*)", Pattern.DOTALL);
    private static final Pattern EXPONENT = Pattern.compile("[eE]([+-]?[0-9]{1,2})");
    private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final String[] DECIMAL = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    private static final BigDecimal MAX = new BigDecimal(Long.MAX_VALUE);
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final int NANO = 9;

    /** After the constants that its constructor reads. */
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI);

    private final BigDecimal amount;
    private final Format format;

    private enum Format {
        DECIMAL_SI,
        BINARY_SI,
        DECIMAL_EXPONENT
    }

    private Quantity(BigDecimal amount, Format format) {
        BigDecimal rounded = amount.scale() > NANO ? amount.setScale(NANO, RoundingMode.UP) : amount;
        this.amount = rounded.min(MAX).max(MAX.negate());
        this.format = format;
    }

    public static Quantity of(long value) {
        return new Quantity(BigDecimal.valueOf(value), Format.DECIMAL_SI);
    }

    /**
     * Parses the text form.
     *
     * @throws ApiException 400 with Kubernetes' message when it does not parse
     */
    public static Quantity parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw ApiException.badRequest(
                    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        String suffix = matcher.group(2);
        for (int i = 0; i < BINARY.length; i++) {
            if (i > 0 && BINARY[i].equals(suffix)) {
                return new Quantity(number.multiply(new BigDecimal(KIBI.pow(i))), Format.BINARY_SI);
            }
        }
        for (int i = 0; i < DECIMAL.length; i++) {
            if (DECIMAL[i].equals(suffix)) {
                return new Quantity(number.scaleByPowerOfTen(3 * (i - 3)), Format.DECIMAL_SI);
            }
        }
        Matcher exponent = EXPONENT.matcher(suffix);
        if (exponent.matches()) {
            return new Quantity(number.scaleByPowerOfTen(Integer.parseInt(exponent.group(1))), Format.DECIMAL_EXPONENT);
        }
        throw ApiException.badRequest("unable to parse quantity's suffix");
    }

    /** Whether {@link #parse} would accept it. */
    public static boolean isValid(String text) {
        try {
            parse(text);
            return true;
        } catch (ApiException invalid) {
            return false;
        }
    }

    public Quantity add(Quantity other) {
        return new Quantity(amount.add(other.amount), amount.signum() == 0 ? other.format : format);
    }

    public Quantity subtract(Quantity other) {
        return new Quantity(amount.subtract(other.amount), amount.signum() == 0 ? other.format : format);
    }

    public Quantity multiply(long factor) {
        return new Quantity(amount.multiply(BigDecimal.valueOf(factor)), format);
    }

    /** In whole units, rounded up. */
    public long value() {
        return amount.setScale(0, RoundingMode.CEILING).min(MAX).longValue();
    }

    /** In thousandths, rounded up; the largest long when that does not fit. */
    public long milliValue() {
        return amount.movePointRight(3)
                .setScale(0, RoundingMode.CEILING)
                .min(MAX)
                .max(MAX.negate())
                .longValue();
    }

    public BigDecimal decimal() {
        return amount;
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    public boolean isNegative() {
        return amount.signum() < 0;
    }

    /** The canonical text: no fraction, the largest suffix that loses nothing. */
    public String canonical() {
        if (amount.signum() == 0) {
            return "0";
        }
        return switch (format) {
            case BINARY_SI -> binary();
            case DECIMAL_SI -> decimal(false);
            case DECIMAL_EXPONENT -> decimal(true);
        };
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity quantity && compareTo(quantity) == 0;
    }

    @Override
    public int hashCode() {
        return amount.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return canonical();
    }

    private String binary() {
        // As Kubernetes: below 1024, and with a fraction left, a binary quantity is written as a decimal one.
        boolean whole = amount.stripTrailingZeros().scale() <= 0;
        if (!whole || amount.abs().compareTo(new BigDecimal(KIBI)) < 0) {
            return decimal(false);
        }
        BigInteger number = amount.toBigIntegerExact();
        int power = 0;
        while (power < BINARY.length - 1 && number.mod(KIBI).signum() == 0) {
            number = number.divide(KIBI);
            power++;
        }
        return number + BINARY[power];
    }

    private String decimal(boolean exponent) {
        BigDecimal stripped = amount.stripTrailingZeros();
        int power = Math.floorDiv(-stripped.scale(), 3) * 3;
        int highest = exponent ? Integer.MAX_VALUE : 18;
        power = Math.max(-NANO, Math.min(power, highest));
        String number = stripped.scaleByPowerOfTen(-power).toBigIntegerExact().toString();
        if (exponent) {
            return power == 0 ? number : number + "e" + power;
        }
        return number + DECIMAL[power / 3 + 3];
    }
}
