package io.atoll.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The process behind {@code atoll up --detach}; speaks the protocol of {@link HostProcess} on stdout. */
@Command(name = "serve", hidden = true, description = "Runs the embedded host for another atoll command.")
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    private final Cli.World world;

    ServeCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        HostDirectory target = directory.directory(world.environment());
        try {
            world.embeddedHost().run(target, HostSettings.load(target), url -> say("ready " + url));
            return 0;
        } catch (CommandFailure failure) {
            say("failed " + failure.getMessage());
            return failure.exitCode();
        }
    }

    private void say(String line) {
        world.console().out().println(line);
        world.console().out().flush();
    }
}
