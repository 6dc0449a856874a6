package io.atoll.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code atoll disconnect}: points kubectl back to where it pointed before. */
@Command(
        name = "disconnect",
        mixinStandardHelpOptions = true,
        description = "Points kubectl back to where it pointed before 'atoll connect'.")
final class DisconnectCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    private final Cli.World world;

    DisconnectCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        UserKubeconfig user = UserKubeconfig.of(world.environment(), null);
        String before = user.disconnect(directory.directory(world.environment()).kubeconfig());
        world.console().step("kubectl now points at context " + before);
        return 0;
    }
}
