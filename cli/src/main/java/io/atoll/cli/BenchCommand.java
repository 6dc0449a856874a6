package io.atoll.cli;

import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code atoll bench NAME}: load drivers. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Runs a load driver and prints its table.")
final class BenchCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one; none lists them.")
    private @Nullable String name;

    @Parameters(index = "1..*", paramLabel = "ARG", description = "Its arguments.")
    private List<String> arguments = List.of();

    private final Cli.World world;

    BenchCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() throws Exception {
        if (name == null) {
            new TreeMap<>(world.benches())
                    .forEach((known, bench) -> world.console().out().printf("%-12s %s%n", known, bench.description()));
            return 0;
        }
        Cli.Bench bench = world.benches().get(name);
        if (bench == null) {
            throw CommandFailure.usage("no bench is named '" + name + "'; known: "
                    + String.join(", ", new TreeMap<>(world.benches()).keySet()));
        }
        return bench.run(arguments, world.console());
    }
}
