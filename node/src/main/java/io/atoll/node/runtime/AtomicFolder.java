package io.atoll.node.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A volume of files that change all at once: the files lie in a folder of their own, {@code ..data} links to it and each
 * name links through {@code ..data}, as in Kubernetes. One writer at a time.
 */
final class AtomicFolder {
    private static final String DATA = "..data";

    private AtomicFolder() {}

    /** What goes into one file. */
    @SuppressWarnings("ArrayRecordComponent")
    record Content(byte[] bytes, int mode) {}

    /** Makes the folder hold exactly these files. Paths are relative and have been checked. */
    static void write(Path folder, Map<Path, Content> files) throws IOException {
        Files.createDirectories(folder);
        Path data = folder.resolve(DATA);
        if (same(data, files)) {
            return;
        }
        Path before = Files.isSymbolicLink(data) ? folder.resolve(Files.readSymbolicLink(data)) : data;
        Path fresh = Files.createTempDirectory(folder, "..");
        permit(fresh, 0755);
        for (Map.Entry<Path, Content> file : files.entrySet()) {
            Path target = fresh.resolve(file.getKey());
            Path parent = target.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.write(target, file.getValue().bytes());
            permit(target, file.getValue().mode());
        }
        Path link = folder.resolve(DATA + "_tmp");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, fresh.getFileName());
        Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        linkNames(folder, files.keySet());
        if (!before.equals(data)) {
            deleteTree(before);
        }
    }

    private static void linkNames(Path folder, Set<Path> paths) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path path : paths) {
            names.add(path.getName(0).toString());
        }
        for (String name : names) {
            Path link = folder.resolve(name);
            if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, Path.of(DATA, name));
            }
        }
        try (Stream<Path> present = Files.list(folder)) {
            for (Path entry : (Iterable<Path>) present::iterator) {
                String name = entry.getFileName().toString();
                if (!name.startsWith("..") && !names.contains(name) && Files.isSymbolicLink(entry)) {
                    Files.delete(entry);
                }
            }
        }
    }

    private static boolean same(Path data, Map<Path, Content> files) throws IOException {
        if (!Files.isDirectory(data)) {
            return false;
        }
        Path root = data.toRealPath();
        try (Stream<Path> present = Files.walk(root)) {
            if (present.filter(Files::isRegularFile).count() != files.size()) {
                return false;
            }
        }
        for (Map.Entry<Path, Content> file : files.entrySet()) {
            Path target = root.resolve(file.getKey());
            if (!Files.isRegularFile(target)
                    || !Arrays.equals(
                            Files.readAllBytes(target), file.getValue().bytes())) {
                return false;
            }
        }
        return true;
    }

    static void permit(Path path, int mode) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int bit = 0; bit < 9; bit++) {
            // The constants go from the owner's read down to the others' execute.
            if ((mode & (0400 >> bit)) != 0) {
                permissions.add(all[bit]);
            }
        }
        Files.setPosixFilePermissions(path, permissions);
    }

    /** Deletes a folder and what is in it, without following links; what is gone already is fine. */
    static void deleteTree(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(
                        Path dir, java.io.@org.jspecify.annotations.Nullable IOException failure) throws IOException {
                    Files.deleteIfExists(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
