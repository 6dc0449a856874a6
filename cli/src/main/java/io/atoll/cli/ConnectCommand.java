package io.atoll.cli;

import io.atoll.client.Kubeconfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code atoll connect}: points kubectl at a tenant, prints its kubeconfig, or runs a command with it. */
@Command(
        name = "connect",
        mixinStandardHelpOptions = true,
        description = "Points kubectl at a tenant, or runs a command against it: atoll connect NAME -- kubectl get ns")
final class ConnectCommand implements Callable<Integer> {
    @Mixin
    private final TenantName tenant = new TenantName();

    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Option(names = "--print", description = "Print the kubeconfig instead of writing it.")
    private boolean print;

    @Option(
            names = "--kube-config",
            paramLabel = "FILE",
            description = "Write to this file (default: KUBECONFIG, else ~/.kube/config).")
    private @Nullable Path file;

    @Parameters(index = "1..*", paramLabel = "CMD", description = "After --: a command to run with KUBECONFIG set.")
    private List<String> command = List.of();

    private final Cli.World world;

    ConnectCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        String name = tenant.name();
        String namespace = tenant.namespace();
        Kubeconfig kubeconfig;
        try (HostSession host = HostSession.open(directory.directory(world.environment()))) {
            kubeconfig = host.tenantKubeconfig(namespace, name);
        }
        if (!command.isEmpty()) {
            return run(kubeconfig);
        }
        if (print) {
            world.console().out().print(kubeconfig.text());
            return 0;
        }
        UserKubeconfig user = UserKubeconfig.of(world.environment(), file);
        user.connect(kubeconfig, TenantClusters.contextName(name, namespace));
        world.console()
                .step("kubectl now points at " + name + " (context " + TenantClusters.contextName(name, namespace)
                        + " in " + user.file() + "); 'atoll disconnect' goes back");
        return 0;
    }

    private int run(Kubeconfig kubeconfig) {
        Path own = null;
        try {
            own = Files.createTempFile("atoll-", ".kubeconfig");
            kubeconfig.write(own);
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().put("KUBECONFIG", own.toString());
            return builder.start().waitFor();
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            throw new CommandFailure("cannot run '" + command.getFirst() + "': "
                    + (why.contains("error: 2") ? "there is no such program" : why));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted");
        } finally {
            if (own != null) {
                own.toFile().delete();
            }
        }
    }
}
