package io.atoll.node.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What a container's process starts with: its command, its mounts, its working folder. Immutable; any thread. */
final class ProcessSetup {
    private final Toolbox tools;
    private final Volumes volumes;

    ProcessSetup(Toolbox tools, Volumes volumes) {
        this.tools = tools;
        this.volumes = volumes;
    }

    static List<String> command(JsonNode container, Map<String, String> variables) throws SetupException {
        List<String> command = new ArrayList<>();
        for (String field : List.of("command", "args")) {
            if (field.equals("args") && command.isEmpty()) {
                throw new SetupException(
                        "CreateContainerError",
                        "the image " + container.path("image").asString("")
                                + " is not pulled on this node, so its entrypoint is not known: give the container a"
                                + " command");
            }
            for (JsonNode word : container.path(field)) {
                command.add(Environment.expand(word.asString(""), variables));
            }
        }
        return command;
    }

    List<Mount> mounts(PodSite site, JsonNode container, Map<String, String> variables, Path dir)
            throws SetupException, IOException {
        List<Mount> mounts = new ArrayList<>(volumes.mounts(site, container, variables));
        Path message = dir.resolve("termination-log");
        Files.createFile(message);
        Path path = Volumes.absolute(container.path("terminationMessagePath").asString("/dev/termination-log"));
        // To make a mount point in /dev costs it its ptmx, unless pts has one that may be used.
        Path terminals = Path.of("/dev/pts/ptmx");
        if (!path.startsWith("/dev") || (Files.isReadable(terminals) && Files.isWritable(terminals))) {
            mounts.add(new Mount(message, path, false));
        }
        return mounts;
    }

    /** Without mount namespaces, a container finds its mounts below this folder. */
    static void linkBelowRoot(List<Mount> mounts, Path root) throws IOException {
        for (Mount mount : mounts) {
            Path link = root.resolve(Path.of("/").relativize(mount.target()));
            if (!Files.exists(link) && PodPaths.inside(root, link)) {
                Path parent = link.getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                Files.createSymbolicLink(link, mount.source());
            }
        }
    }

    Path workingDir(JsonNode container, Map<String, String> variables, Path dir, Path root)
            throws SetupException, IOException {
        String wanted = Environment.expand(container.path("workingDir").asString(""), variables);
        if (wanted.isEmpty()) {
            return dir.resolve("work");
        }
        Path path = Volumes.absolute(wanted);
        if (tools.namespaces() || Files.isDirectory(path)) {
            return path;
        }
        Path below = root.resolve(Path.of("/").relativize(path));
        return Files.isDirectory(below) ? below : Files.createDirectories(below);
    }

    /** A program may also lie in a volume, or below the working folder: then only the start itself can tell. */
    static boolean surelyMissing(String program, String path, List<Mount> mounts) {
        boolean relative = program.indexOf('/') > 0;
        if (relative || Executables.find(program, path).isPresent()) {
            return false;
        }
        List<String> folders = program.startsWith("/") ? List.of(program) : List.of(path.split(":"));
        return folders.stream()
                .noneMatch(folder ->
                        mounts.stream().anyMatch(mount -> Path.of(folder).startsWith(mount.target())));
    }
}
