package io.atoll.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** What names, label keys and label values may look like, with Kubernetes' messages. Stateless; any thread. */
public final class Names {
    private static final String LABEL_1123 = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN_1123 = LABEL_1123 + "(\\." + LABEL_1123 + ")*";
    private static final String LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String QUALIFIED_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL_VALUE = "(" + QUALIFIED_NAME + ")?";

    private static final Pattern LABEL_1123_PATTERN = Pattern.compile(LABEL_1123);
    private static final Pattern SUBDOMAIN_1123_PATTERN = Pattern.compile(SUBDOMAIN_1123);
    private static final Pattern LABEL_1035_PATTERN = Pattern.compile(LABEL_1035);
    private static final Pattern QUALIFIED_NAME_PATTERN = Pattern.compile(QUALIFIED_NAME);
    private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile(LABEL_VALUE);

    private static final int LABEL_MAX = 63;
    private static final int SUBDOMAIN_MAX = 253;
    private static final int SUFFIX_LENGTH = 5;
    /** Kubernetes' alphabet: no vowels and no digits that look like letters, so no words. */
    private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private Names() {}

    /** What is wrong with a DNS-1123 label (a namespace's name, say); empty when nothing is. */
    public static List<String> dnsLabelErrors(String value) {
        return errors(
                value,
                LABEL_MAX,
                LABEL_1123_PATTERN,
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start"
                        + " and end with an alphanumeric character",
                LABEL_1123,
                "my-name",
                "123-abc");
    }

    /** What is wrong with a DNS-1123 subdomain, which most names must be; empty when nothing is. */
    public static List<String> dnsSubdomainErrors(String value) {
        return errors(
                value,
                SUBDOMAIN_MAX,
                SUBDOMAIN_1123_PATTERN,
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and"
                        + " must start and end with an alphanumeric character",
                SUBDOMAIN_1123,
                "example.com");
    }

    /** What is wrong with a DNS-1035 label (a Service's name); empty when nothing is. */
    public static List<String> dns1035LabelErrors(String value) {
        return errors(
                value,
                LABEL_MAX,
                LABEL_1035_PATTERN,
                "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                        + " character, and end with an alphanumeric character",
                LABEL_1035,
                "my-name",
                "abc-123");
    }

    /** What is wrong with a path segment name, which RBAC objects have; empty when nothing is. */
    public static List<String> pathSegmentErrors(String value) {
        if (value.equals(".") || value.equals("..")) {
            return List.of("may not be '" + value + "'");
        }
        List<String> errors = new ArrayList<>();
        for (String illegal : List.of("/", "%")) {
            if (value.contains(illegal)) {
                errors.add("may not contain '" + illegal + "'");
            }
        }
        return errors;
    }

    /** What is wrong with a label or annotation key, or a finalizer; empty when nothing is. */
    public static List<String> qualifiedNameErrors(String value) {
        List<String> errors = new ArrayList<>();
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            return List.of("a qualified name "
                    + pattern(qualifiedNameRule(), QUALIFIED_NAME, "MyName", "my.name", "123-abc")
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                errors.add("prefix part must be non-empty");
            } else {
                dnsSubdomainErrors(parts[0]).forEach(error -> errors.add("prefix part " + error));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            errors.add("name part must be non-empty");
        } else if (name.length() > LABEL_MAX) {
            errors.add("name part " + tooLong(LABEL_MAX));
        }
        if (!QUALIFIED_NAME_PATTERN.matcher(name).matches()) {
            errors.add("name part " + pattern(qualifiedNameRule(), QUALIFIED_NAME, "MyName", "my.name", "123-abc"));
        }
        return errors;
    }

    /** What is wrong with a label's value; empty when nothing is. */
    public static List<String> labelValueErrors(String value) {
        return errors(
                value,
                LABEL_MAX,
                LABEL_VALUE_PATTERN,
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                        + " start and end with an alphanumeric character",
                LABEL_VALUE,
                "MyValue",
                "my_value",
                "12345");
    }

    /** A name for {@code metadata.generateName}: the prefix, cut to fit 63 characters, and five random ones. */
    public static String generate(String prefix, RandomGenerator random) {
        StringBuilder name = new StringBuilder(prefix);
        name.setLength(Math.min(prefix.length(), LABEL_MAX - SUFFIX_LENGTH));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(SUFFIX_ALPHABET.charAt(random.nextInt(SUFFIX_ALPHABET.length())));
        }
        return name.toString();
    }

    private static String qualifiedNameRule() {
        return "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                + " character";
    }

    private static List<String> errors(
            String value, int max, Pattern pattern, String rule, String expression, String... examples) {
        List<String> errors = new ArrayList<>();
        if (value.length() > max) {
            errors.add(tooLong(max));
        }
        if (!pattern.matcher(value).matches()) {
            errors.add(pattern(rule, expression, examples));
        }
        return errors;
    }

    private static String tooLong(int max) {
        return "must be no more than " + max + " bytes";
    }

    private static String pattern(String rule, String expression, String... examples) {
        StringBuilder text = new StringBuilder(rule).append(" (e.g. ");
        for (int i = 0; i < examples.length; i++) {
            text.append(i == 0 ? "'" : " or '").append(examples[i]).append("', ");
        }
        return text.append("regex used for validation is '")
                .append(expression)
                .append("')")
                .toString();
    }
}
