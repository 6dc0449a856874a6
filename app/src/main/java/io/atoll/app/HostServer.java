package io.atoll.app;

import io.atoll.apiserver.http.ListenException;
import io.atoll.apiserver.http.Listener;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.cli.CommandFailure;
import io.atoll.cli.HostDirectory;
import io.atoll.cli.HostSettings;
import io.atoll.controllers.BuiltInControllers;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.node.NodeAgent;
import io.atoll.node.NodeOptions;
import io.atoll.node.NodeSpec;
import io.atoll.scheduler.Scheduler;
import io.atoll.scheduler.SchedulerOptions;
import io.atoll.scheduler.crd.SchedulingObjects;
import io.atoll.scheduler.grouper.GrouperOptions;
import io.atoll.scheduler.grouper.PodGroupController;
import io.atoll.tenancy.Cell;
import io.atoll.tenancy.ClusterAssembly;
import io.atoll.tenancy.LatePodStreams;
import io.atoll.tenancy.TenantClusterDefinition;
import io.atoll.tenancy.TenantOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The embedded host: one process with API server, controllers, scheduler, nodes and all tenants. */
final class HostServer {
    private static final Logger LOG = LoggerFactory.getLogger(HostServer.class);

    private final HostDirectory directory;
    private final HostSettings settings;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    HostServer(HostDirectory directory, HostSettings settings) {
        this.directory = directory;
        this.settings = settings;
    }

    /** Starts everything, says so, and blocks until the process is told to end. */
    void run(Consumer<String> ready) {
        List<NodeSpec> nodes = nodes();
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try {
            String url = start(nodes);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                stop.countDown();
                try {
                    stopped.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            LOG.info("the host answers at {}", url);
            ready.accept(url);
            stop.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ListenException e) {
            throw new CommandFailure("port " + e.port() + " is in use; choose another with --port, or 0 for any");
        } catch (CommandFailure e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            LOG.error("the host cannot start", e);
            throw new CommandFailure("the host cannot start: " + e.getMessage() + "; see " + directory.log());
        } finally {
            close();
            stopped.countDown();
        }
    }

    /** In this order, and stopped in the reverse one. */
    private String start(List<NodeSpec> nodes) throws IOException, InterruptedException {
        Timers timers = Timers.system();
        keep(HostLock.take(directory));
        Listener listener = keep(new Listener(Listener.Options.loopback()));
        LatePodStreams streams = new LatePodStreams();
        ClusterAssembly host = keep(ClusterAssembly.open(
                TenantId.HOST,
                directory.cluster(),
                listener,
                settings.port(),
                Set.of("host.atoll.local"),
                streams,
                List.of(SchedulingAdmission.OF_HOST),
                timers));
        settings.withPort(host.port()).save(directory);
        host.ensure(BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS, TenantClusterDefinition.definition());
        SchedulingObjects.install(host.client());
        keep(BuiltInControllers.start(
                host.client(),
                host.cache(),
                BuiltInControllers.Options.all(host.keys().authority().certificatePem())));
        keep(PodGroupController.start(host.client(), host.cache(), timers, GrouperOptions.DEFAULT));
        keep(Scheduler.start(host.client(), host.cache(), timers, SchedulerOptions.DEFAULT));
        NodeAgent agent = NodeAgent.start(
                host.client(),
                host.cache(),
                nodes,
                directory.nodes(),
                NodeOptions.DEFAULT
                        .withTaintGpus(settings.taintGpus())
                        .withKubernetesService("127.0.0.1", host.port()));
        keep(agent::shutdown);
        streams.become(agent.streams());
        Cell cell = keep(
                new Cell(host, streams, listener, directory.tenants(), List.of(SchedulingAdmission.OF_TENANT), timers));
        TenantOperator operator = keep(new TenantOperator(host.client(), host.cache(), cell, timers));
        operator.awaitFirstRound();
        writeKubeconfig(host);
        return host.endpoint();
    }

    private List<NodeSpec> nodes() {
        List<NodeSpec> parsed = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (String spec : settings.nodes()) {
            try {
                parsed.add(NodeSpec.parse(spec));
            } catch (IllegalArgumentException e) {
                mistakes.add(String.valueOf(e.getMessage()));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new CommandFailure(String.join("; ", mistakes));
        }
        return parsed;
    }

    private void writeKubeconfig(ClusterAssembly host) throws IOException {
        Files.deleteIfExists(directory.kubeconfig());
        Files.createFile(
                directory.kubeconfig(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(directory.kubeconfig(), host.keys().adminKubeconfig("atoll-host", host.endpoint()));
    }

    private <T extends AutoCloseable> T keep(T part) {
        started.push(part);
        return part;
    }

    private void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                LOG.error("while stopping", e);
            }
        }
    }
}
