package io.atoll.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code atoll down}: stops the embedded host and keeps its data. */
@Command(name = "down", mixinStandardHelpOptions = true, description = "Stops the embedded host; its data is kept.")
final class DownCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    private final Cli.World world;

    DownCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        HostDirectory target = directory.directory(world.environment());
        HostProcess process = new HostProcess(target);
        Optional<ProcessHandle> running = process.find();
        if (running.isEmpty()) {
            world.console().out().println("No host runs in " + target.path());
            return 0;
        }
        process.stop(running.get());
        world.console().out().println("Stopped. Data is kept in " + target.path());
        return 0;
    }
}
