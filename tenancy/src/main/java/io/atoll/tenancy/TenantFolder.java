package io.atoll.tenancy;

import io.atoll.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;

/**
 * A tenant on disk. Named by the UID of its TenantCluster, so that a new tenant never wakes the data of an old one of
 * the same name. One thread at a time.
 */
final class TenantFolder {
    private final Path path;

    TenantFolder(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** The port that the tenant was last served on, which its users' kubeconfigs name; 0 when it has none yet. */
    int port() {
        try {
            Path file = path.resolve("tenant.json");
            return Files.exists(file)
                    ? Json.parse(Files.readAllBytes(file)).path("port").asInt(0)
                    : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void savePort(int port) {
        if (port == port()) {
            return;
        }
        try {
            Path part = path.resolve("tenant.json.part");
            Files.write(part, Json.encode(Json.object().put("port", port)));
            Files.move(part, path.resolve("tenant.json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete() {
        if (!Files.exists(path)) {
            return;
        }
        try (var files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path + ": " + e.getMessage(), e);
        }
    }
}
