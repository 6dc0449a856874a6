package io.atoll.cli;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --dir}, shared by every command that needs the embedded host. */
final class DirectoryOption {
    @Option(names = "--dir", paramLabel = "DIR", description = "Where the embedded host lives (default: ~/.atoll).")
    private @Nullable Path directory;

    HostDirectory directory(Map<String, String> environment) {
        return directory == null ? HostDirectory.ofDefault(environment) : new HostDirectory(directory);
    }
}
