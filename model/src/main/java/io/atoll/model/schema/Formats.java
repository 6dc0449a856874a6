package io.atoll.model.schema;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The string formats that Kubernetes checks in custom resources; others say nothing. */
final class Formats {
    private static final Pattern HOSTNAME = Pattern.compile(
            "([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9])(\\.([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]))*");
    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\\.(?!$)|$)){4}");
    private static final Pattern IPV6_CHARACTERS = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s]+");
    private static final Pattern MAC =
            Pattern.compile("[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){7}");
    private static final Pattern DURATION = Pattern.compile(
            "[+-]?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)\\s*(ns|us|µs|ms|s|m|h|d|w|nanos?|micros?|millis?|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?)(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h))*)");
    private static final Pattern HEX_COLOR = Pattern.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})");
    private static final Pattern SHORT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final Map<String, Predicate<String>> CHECKS = Map.ofEntries(
            Map.entry("byte", Formats::isBase64),
            Map.entry("cidr", Formats::isCidr),
            Map.entry("date", Formats::isDate),
            Map.entry("datetime", text -> Times.parse(text).isPresent()),
            Map.entry("duration", text -> DURATION.matcher(text).matches()),
            Map.entry("email", text -> EMAIL.matcher(text).matches()),
            Map.entry("hexcolor", text -> HEX_COLOR.matcher(text).matches()),
            Map.entry(
                    "hostname",
                    text -> text.length() <= 255 && HOSTNAME.matcher(text).matches()),
            Map.entry("ipv4", text -> IPV4.matcher(text).matches()),
            Map.entry("ipv6", Formats::isIpv6),
            Map.entry("k8sshortname", text -> SHORT_NAME.matcher(text).matches()),
            Map.entry("mac", text -> MAC.matcher(text).matches()),
            Map.entry("uri", Formats::isUri),
            Map.entry("uuid", uuid("[0-9a-f]", "[0-9a-f]")),
            Map.entry("uuid3", uuid("3", "[0-9a-f]")),
            Map.entry("uuid4", uuid("4", "[89ab]")),
            Map.entry("uuid5", uuid("5", "[89ab]")));

    private Formats() {}

    /** Whether a text has the format; a format that is not known has every text. */
    static boolean matches(String format, String text) {
        Predicate<String> check = CHECKS.get(format.replace("-", ""));
        return check == null || check.test(text);
    }

    private static Predicate<String> uuid(String version, String variant) {
        Pattern pattern = Pattern.compile(
                "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?" + version + "[0-9a-f]{3}-?" + variant + "[0-9a-f]{3}-?[0-9a-f]{12}");
        return text -> pattern.matcher(text).matches();
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeParseException malformed) {
            return false;
        }
    }

    private static boolean isUri(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    private static boolean isIpv6(String text) {
        if (!text.contains(":") || !IPV6_CHARACTERS.matcher(text).matches()) {
            return false;
        }
        try {
            java.net.InetAddress.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        String address = text.substring(0, slash);
        int bits = Integer.parseInt(text.substring(slash + 1));
        return (IPV4.matcher(address).matches() && bits <= 32) || (isIpv6(address) && bits <= 128);
    }
}
