package io.atoll.app;

import io.atoll.bench.provision.ProvisionBench;
import io.atoll.cli.Cli;
import io.atoll.cli.Console;
import io.atoll.syncer.config.ConfigException;
import io.atoll.syncer.config.TenantConfig;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The {@code atoll} program. */
public final class Main {
    private Main() {}

    /** Runs one command line and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Console console = new Console(System.out, System.err, InstantSource.system(), false);
        Cli.World world = new Cli.World(
                console,
                System.getenv(),
                (directory, settings, ready) -> new HostServer(directory, settings).run(ready),
                Main::readValues,
                Map.of("provision", new ProvisionBench()));
        System.exit(Cli.run(world, arguments));
    }

    private static ObjectNode readValues(List<String> files, List<String> sets, Consumer<String> warnings) {
        try {
            TenantConfig config = TenantConfig.load(files, sets);
            config.warnings().forEach(warnings);
            return config.toTree();
        } catch (ConfigException e) {
            throw new IllegalArgumentException(String.join("\n", e.mistakes()), e);
        }
    }
}
