package io.atoll.apiserver.crd;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kubernetes' order of version names: stable before beta before alpha, higher before lower, others last by name. */
final class VersionOrder {
    private static final Pattern VERSION = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");

    static final Comparator<String> PREFERRED_FIRST = Comparator.comparingInt(VersionOrder::stage)
            .thenComparing(
                    Comparator.comparingInt((String name) -> number(name, 1)).reversed())
            .thenComparing(
                    Comparator.comparingInt((String name) -> number(name, 3)).reversed())
            .thenComparing(Comparator.naturalOrder());

    private VersionOrder() {}

    private static int stage(String name) {
        Matcher matcher = VERSION.matcher(name);
        if (!matcher.matches()) {
            return 3;
        }
        String stage = matcher.group(2);
        return stage == null ? 0 : stage.equals("beta") ? 1 : 2;
    }

    private static int number(String name, int group) {
        Matcher matcher = VERSION.matcher(name);
        return matcher.matches() && matcher.group(group) != null ? Integer.parseInt(matcher.group(group)) : 0;
    }
}
