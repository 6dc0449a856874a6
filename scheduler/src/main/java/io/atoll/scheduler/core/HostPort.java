package io.atoll.scheduler.core;

/** A port of the node that a pod takes. */
public record HostPort(String address, String protocol, int port) {
    private static final String EVERY_ADDRESS = "0.0.0.0";

    boolean conflictsWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (address.equals(other.address)
                        || address.equals(EVERY_ADDRESS)
                        || other.address.equals(EVERY_ADDRESS));
    }
}
