package io.atoll.node.runtime;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as {@code execvp} does. */
final class Executables {
    private Executables() {}

    /** The file that a command's first word names: itself when it has a slash, else the first on the PATH. */
    static Optional<String> find(String command, String path) {
        try {
            if (command.indexOf('/') >= 0) {
                return runnable(Path.of(command)) ? Optional.of(command) : Optional.empty();
            }
            for (String folder : path.split(":")) {
                if (!folder.isEmpty() && !command.isEmpty()) {
                    Path candidate = Path.of(folder, command);
                    if (runnable(candidate)) {
                        return Optional.of(candidate.toString());
                    }
                }
            }
        } catch (InvalidPathException _) {
            // a name with a zero byte names no file
        }
        return Optional.empty();
    }

    private static boolean runnable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
