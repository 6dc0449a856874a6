package io.atoll.cli;

import io.atoll.model.ApiException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code atoll} command: parses, runs one subcommand, and turns failures into one line and an exit code. One thread.
 */
@Command(
        name = "atoll",
        description = "Tenant Kubernetes clusters on shared GPUs.",
        mixinStandardHelpOptions = true,
        version = "atoll 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = CommandLine.HelpCommand.class)
public final class Cli implements Runnable {
    @Option(names = "--debug", description = "Print stack traces.", scope = CommandLine.ScopeType.INHERIT)
    private boolean debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    /**
     * What the commands need of the world.
     *
     * @param environment variables of the process
     * @param benches load drivers by name, for {@code atoll bench NAME}
     */
    public record World(
            Console console,
            Map<String, String> environment,
            EmbeddedHost embeddedHost,
            ValuesReader valuesReader,
            Map<String, Bench> benches) {}

    /** A load driver behind {@code atoll bench NAME}. */
    public interface Bench {
        /** One line for the help text. */
        String description();

        /** Runs with the words after the name and prints a table. */
        int run(List<String> arguments, Console console) throws Exception;
    }

    /** Runs one command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
    public static int run(World world, String... arguments) {
        Cli cli = new Cli();
        CommandLine line = new CommandLine(cli)
                .addSubcommand(new UpCommand(world))
                .addSubcommand(new ServeCommand(world))
                .addSubcommand(new DownCommand(world))
                .addSubcommand(new CreateCommand(world))
                .addSubcommand(new ConnectCommand(world))
                .addSubcommand(new DisconnectCommand(world))
                .addSubcommand(new ListCommand(world))
                .addSubcommand(new DescribeCommand(world))
                .addSubcommand(new DeleteCommand(world))
                .addSubcommand(new BenchCommand(world))
                .addSubcommand(new picocli.AutoComplete.GenerateCompletion());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new java.io.PrintWriter(world.console().out(), true, java.nio.charset.StandardCharsets.UTF_8));
        line.setParameterExceptionHandler((problem, words) -> usage(world.console(), problem));
        line.setExecutionExceptionHandler((problem, command, result) -> failed(world.console(), problem, cli.debug));
        return line.execute(arguments);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int usage(Console console, ParameterException problem) {
        String first = problem instanceof UnmatchedArgumentException unmatched
                        && unmatched.getCommandLine().getParent() == null
                        && !unmatched.isUnknownOption()
                ? "unknown command '" + unmatched.getUnmatched().getFirst() + "'"
                : String.valueOf(problem.getMessage()).lines().findFirst().orElse("wrong usage");
        console.err()
                .println("error: " + first + "; see '"
                        + problem.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return CommandFailure.USAGE;
    }

    private static int failed(Console console, Exception problem, boolean debug) {
        if (debug) {
            problem.printStackTrace(console.err());
        }
        return switch (problem) {
            case CommandFailure failure -> {
                console.err().println("error: " + failure.getMessage());
                yield failure.exitCode();
            }
            case ApiException refused -> {
                console.err().println("error: the server refused: " + refused.getMessage());
                yield CommandFailure.FAILED;
            }
            default -> {
                console.err().println("error: " + problem + " (--debug prints the stack trace)");
                yield CommandFailure.FAILED;
            }
        };
    }
}
