package io.atoll.syncer.translate;

import io.atoll.base.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a tenant's objects are called on the host: vCluster's formulas to the letter, so that tools and eyes that know
 * them work. Immutable; any thread.
 */
public final class HostNames {
    private static final int LENGTH_MAX = 63;
    private static final int KEPT_LENGTH = 52;
    private static final int HASH_LENGTH = 10;

    private final TenantId tenant;

    public HostNames(TenantId tenant) {
        this.tenant = tenant;
    }

    /** The host namespace that holds all of the tenant's objects. */
    public String namespace() {
        return tenant.namespace();
    }

    /** The value of the {@code managed-by} label on the tenant's objects. */
    public String managedBy() {
        return tenant.name();
    }

    /** The name of a namespaced object on the host. No two objects of tenants in one host namespace share one. */
    public String of(String namespace, String name) {
        if (isAmbiguous(name) || isAmbiguous(namespace) || isAmbiguous(tenant.name())) {
            // vCluster gives a-x-b in c and a in b-x-c the same name, and so one the Secrets of the other.
            String joined = String.join("-", name, "x", namespace, "x", tenant.name());
            return cut(joined, String.join("/", name, namespace, tenant.name()));
        }
        return safe(name, "x", namespace, "x", tenant.name());
    }

    /** Whether a part, joined by {@code -x-} to others, can be taken for several. */
    private static boolean isAmbiguous(String part) {
        return part.contains("-x-") || part.startsWith("x-") || part.endsWith("-x");
    }

    /** The name of a cluster-scoped object on the host. */
    public String cluster(String name) {
        return safe("vcluster", name, "x", tenant.namespace(), "x", tenant.name());
    }

    /** The one ConfigMap with the tenant's CA that all its pods share. */
    public String rootCertificate() {
        String[] parts = {"vcluster", "kube-root-ca.crt", "x", tenant.name()};
        return isAmbiguous(tenant.name()) ? cut(String.join("-", parts), tenant.name()) : safe(parts);
    }

    /** The Secret with the tokens of one pod. A tenant's name has no dot, so no other object is called like it. */
    public String tokens(String namespace, String podName) {
        return of(namespace, podName) + ".tokens";
    }

    /** The identity that the tenant's pods have on the host, which may do nothing. */
    public String workloadServiceAccount() {
        return safe("vc-workload", tenant.name());
    }

    /** The key under which a label goes whose own key is the syncer's. */
    public String label(String key) {
        return safe(Marks.PREFIX + "label", tenant.name(), "x", hash(key));
    }

    /** The key under which a pod carries a label of its namespace. */
    public String namespaceLabel(String key) {
        return safe(Marks.PREFIX + "ns-label", tenant.name(), "x", hash(key));
    }

    /** Joined by dashes; cut and made unique by a hash when that is too long for a label's value. */
    public static String safe(String... parts) {
        String joined = String.join("-", parts);
        if (joined.length() <= LENGTH_MAX) {
            return joined;
        }
        return cut(joined, joined);
    }

    private static String cut(String joined, String hashed) {
        String kept = joined.substring(0, Math.min(KEPT_LENGTH, joined.length()));
        return (kept + "-" + hash(hashed)).replace(".-", "-");
    }

    /** Whether the name of an object cannot be read off its host name. */
    boolean isHashed(String hostName) {
        return isAmbiguous(tenant.name()) || !hostName.endsWith("-x-" + tenant.name());
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(sha256(text)).substring(0, HASH_LENGTH);
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
