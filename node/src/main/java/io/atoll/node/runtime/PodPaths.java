package io.atoll.node.runtime;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Turns names from objects into paths that cannot leave the pod's folder. Stateless. */
public final class PodPaths {
    private static final Pattern SEGMENT = Pattern.compile("[a-zA-Z0-9]([-a-zA-Z0-9_.]{0,251}[a-zA-Z0-9])?");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    private PodPaths() {}

    /**
     * A name (of a volume, a container, a namespace, a UID) as one path segment.
     *
     * @throws IllegalArgumentException when it is none; the API server would not have let it in
     */
    public static String segment(String name) {
        if (!SEGMENT.matcher(name).matches() || name.contains("..")) {
            throw new IllegalArgumentException("'" + name + "' cannot be a file name");
        }
        return name;
    }

    /** A key of a ConfigMap or a Secret as a file name. */
    static String key(String key) throws SetupException {
        if (!KEY.matcher(key).matches() || key.startsWith("..") || key.equals(".")) {
            throw new SetupException("FailedMount", "key '" + key + "' cannot be a file name");
        }
        return key;
    }

    /** A path below a volume: relative, and without a step up. */
    static Path below(String text) throws SetupException {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                throw new SetupException("FailedMount", "'" + text + "' must be a relative path");
            }
            for (Path step : path) {
                if (step.toString().equals("..")) {
                    throw new SetupException("FailedMount", "'" + text + "' must not contain '..'");
                }
            }
            return path.normalize();
        } catch (InvalidPathException _) {
            throw new SetupException("FailedMount", "'" + text + "' is not a path");
        }
    }

    /** True when a path, with its links followed, still lies in a folder. */
    static boolean inside(Path folder, Path path) throws java.io.IOException {
        Path existing = path;
        while (!Files.exists(existing)) {
            Path parent = existing.getParent();
            if (parent == null) {
                return false;
            }
            existing = parent;
        }
        return existing.toRealPath().startsWith(folder.toRealPath());
    }
}
