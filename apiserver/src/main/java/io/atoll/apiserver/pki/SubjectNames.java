package io.atoll.apiserver.pki;

import java.util.Set;
import java.util.TreeSet;

/**
 * Who a serving certificate speaks for. Immutable.
 *
 * @param dnsNames host names; a first label of {@code *} matches any
 * @param addresses IP addresses as text
 */
public record SubjectNames(Set<String> dnsNames, Set<String> addresses) {
    public SubjectNames {
        dnsNames = Set.copyOf(dnsNames);
        addresses = Set.copyOf(addresses);
    }

    /** What every cluster is called from inside, and on this machine. */
    public static SubjectNames standard() {
        return new SubjectNames(
                Set.of(
                        "kubernetes",
                        "kubernetes.default",
                        "kubernetes.default.svc",
                        "kubernetes.default.svc.cluster.local",
                        "localhost"),
                Set.of("127.0.0.1", "::1"));
    }

    public SubjectNames plus(SubjectNames more) {
        Set<String> names = new TreeSet<>(dnsNames);
        names.addAll(more.dnsNames);
        Set<String> all = new TreeSet<>(addresses);
        all.addAll(more.addresses);
        return new SubjectNames(names, all);
    }
}
