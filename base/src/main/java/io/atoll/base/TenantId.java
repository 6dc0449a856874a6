package io.atoll.base;

/**
 * Names one cluster that a cell serves: a tenant by its host namespace and name, or the host itself.
 *
 * <p>Immutable. The first parameter of every call that touches tenant data (design, decision 5).
 *
 * @param namespace the host namespace that holds the tenant; empty for the host
 * @param name the tenant's name, a DNS-1123 label
 */
public record TenantId(String namespace, String name) {
    /** The embedded host's own cluster. */
    public static final TenantId HOST = new TenantId("", "host");

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
