package io.atoll.cli;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code atoll up}: starts the embedded host. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Starts the embedded host: API server, controllers, scheduler and nodes in one process.",
            "Pods run as local processes with your rights: for your own workloads only."
        })
final class UpCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the host's API server (default: the last one, else any).")
    private @Nullable Integer port;

    @Option(
            names = "--nodes",
            paramLabel = "SPEC",
            description = "COUNT:MODELxGPUS[:sim], e.g. 2:T4x1, 1000:H100x8:sim, 1:cpu, or auto; may be repeated.")
    private @Nullable List<String> nodes;

    @Option(
            names = "--taint-gpus",
            negatable = true,
            description = "GPU nodes carry the taint nvidia.com/gpu:NoSchedule.")
    private @Nullable Boolean taintGpus;

    @Option(names = "--detach", description = "Return when the host is ready and leave it running.")
    private boolean detach;

    private final Cli.World world;

    UpCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        HostDirectory target = directory.directory(world.environment());
        HostProcess process = new HostProcess(target);
        Optional<ProcessHandle> running = process.find();
        if (running.isPresent()) {
            throw new CommandFailure("a host already runs in " + target.path() + " (process "
                    + running.get().pid() + "); stop it with 'atoll down'");
        }
        HostSettings before = HostSettings.load(target);
        if (port != null && (port < 0 || port > 65_535)) {
            throw CommandFailure.usage("--port " + port + " is not a port: use 0 to 65535");
        }
        HostSettings settings = new HostSettings(
                port == null ? before.port() : port,
                nodes == null ? before.nodes() : nodes,
                taintGpus == null ? before.taintGpus() : taintGpus);
        if (detach) {
            settings.save(target);
            try {
                report(target, process.start(world.console()));
            } catch (CommandFailure failure) {
                before.save(target);
                throw failure;
            }
        } else {
            world.embeddedHost().run(target, settings, url -> report(target, url));
        }
        return 0;
    }

    private void report(HostDirectory target, String url) {
        Console console = world.console();
        console.out().println("The host answers at " + url);
        console.out().println();
        console.out().println("  export KUBECONFIG=" + target.kubeconfig());
        console.out().println("  kubectl get nodes");
    }
}
