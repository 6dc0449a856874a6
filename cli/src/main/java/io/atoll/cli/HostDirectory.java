package io.atoll.cli;

import java.nio.file.Path;
import java.util.Map;

/** Where an embedded host keeps what it knows; the one place that names its files. Immutable. */
public record HostDirectory(Path path) {
    public HostDirectory {
        path = path.toAbsolutePath().normalize();
    }

    /** {@code ~/.atoll}. */
    public static HostDirectory ofDefault(Map<String, String> environment) {
        return new HostDirectory(Path.of(environment.getOrDefault("HOME", "."), ".atoll"));
    }

    /** Credentials of the host's cluster-admin. */
    public Path kubeconfig() {
        return path.resolve("host.kubeconfig");
    }

    /** Held locked by the process that serves this directory. */
    public Path lock() {
        return path.resolve("host.lock");
    }

    /** Process id and start of the process that serves this directory. */
    public Path process() {
        return path.resolve("host.pid");
    }

    public Path log() {
        return path.resolve("host.log");
    }

    /** The flags that {@code atoll up} was last given. */
    public Path settings() {
        return path.resolve("settings.json");
    }

    /** Store and keys of the host's own cluster. */
    public Path cluster() {
        return path.resolve("host");
    }

    /** Stores and keys of the tenants, one folder each. */
    public Path tenants() {
        return path.resolve("tenants");
    }

    /** Working folders, logs and GPU grants of the pods. */
    public Path nodes() {
        return path.resolve("nodes");
    }
}
