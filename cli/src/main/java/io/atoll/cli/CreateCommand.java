package io.atoll.cli;

import io.atoll.client.Client;
import io.atoll.client.Kubeconfig;
import io.atoll.client.RestClient;
import io.atoll.client.http.Credentials;
import io.atoll.client.http.HttpTransport;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code atoll create}: makes a tenant and waits until it answers. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Makes a tenant cluster, waits until it answers, and points kubectl at it.")
final class CreateCommand implements Callable<Integer> {
    @Mixin
    private final TenantName tenant = new TenantName();

    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Option(
            names = {"-f", "--values"},
            paramLabel = "FILE",
            description = "Values in the form of vcluster.yaml; may be repeated, later ones win.")
    private @Nullable List<Path> files;

    @Option(names = "--set", paramLabel = "K=V", description = "A single value, after all files; may be repeated.")
    private @Nullable List<String> sets;

    @Option(
            names = "--connect",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description = "Point kubectl at it (default: true).")
    private boolean connect = true;

    @Option(names = "--upgrade", description = "Change the tenant if it exists.")
    private boolean upgrade;

    private final Cli.World world;

    CreateCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        Console console = world.console();
        String name = tenant.name();
        String namespace = tenant.namespace();
        ObjectNode values = values(console);
        HostDirectory target = directory.directory(world.environment());
        long start = console.clock().millis();
        try (HostSession host = HostSession.openOrStart(target, console)) {
            boolean existed =
                    host.client().find(TenantClusters.TYPE, namespace, name).isPresent();
            if (existed && !upgrade) {
                throw new CommandFailure("tenant '" + name + "' exists already in namespace '" + namespace
                        + "'; use --upgrade to change it, or 'atoll connect " + name + " -n " + namespace + "'");
            }
            boolean namespaceIsNew = host.createNamespace(namespace);
            try {
                console.step("creating tenant " + name + " in namespace " + namespace);
                ObjectNode written = write(host, namespace, name, values, existed);
                TenantWait.untilReady(host.client(), namespace, name, written);
                Kubeconfig kubeconfig = host.tenantKubeconfig(namespace, name);
                answer(kubeconfig);
                console.step("tenant " + name + " answers (" + (console.clock().millis() - start) + " ms)");
                if (connect) {
                    UserKubeconfig user = UserKubeconfig.of(world.environment(), null);
                    user.connect(kubeconfig, TenantClusters.contextName(name, namespace));
                    console.step("kubectl now points at it (context " + TenantClusters.contextName(name, namespace)
                            + " in " + user.file() + ")");
                }
            } catch (RuntimeException failure) {
                if (!existed) {
                    undo(host, namespace, name, namespaceIsNew);
                }
                throw failure;
            }
        }
        suggest(console, name, namespace);
        return 0;
    }

    private ObjectNode values(Console console) {
        List<String> texts = new ArrayList<>();
        for (Path file : files == null ? List.<Path>of() : files) {
            String text;
            try {
                text = Files.readString(file);
            } catch (IOException e) {
                throw new CommandFailure(
                        "cannot read " + file + ": " + (Files.exists(file) ? e.getMessage() : "no such file"));
            }
            try {
                world.valuesReader().read(List.of(text), List.of(), _ -> {});
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(file + ": " + oneLine(e));
            }
            texts.add(text);
        }
        try {
            return world.valuesReader().read(texts, sets == null ? List.of() : sets, console::warn);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(oneLine(e));
        }
    }

    private static String oneLine(IllegalArgumentException e) {
        return String.join(
                "; ", String.valueOf(e.getMessage()).lines().map(String::strip).toList());
    }

    private static ObjectNode write(
            HostSession host, String namespace, String name, ObjectNode values, boolean existed) {
        if (existed) {
            // A JSON patch sets the whole config; a merge would keep keys that the user dropped.
            var operations = Json.array();
            operations.addObject().put("op", "add").put("path", "/spec/config").set("value", values);
            return host.client().patch(TenantClusters.TYPE, namespace, name, "", Client.PatchType.JSON, operations);
        }
        ObjectNode object = Json.object();
        object.put("apiVersion", TenantClusters.TYPE.apiVersion()).put("kind", TenantClusters.TYPE.kind());
        object.putObject("metadata").put("name", name);
        object.putObject("spec").set("config", values);
        return host.client().create(TenantClusters.TYPE, namespace, object);
    }

    /** Asks the tenant itself: a status alone is hearsay. */
    private static void answer(Kubeconfig kubeconfig) {
        try (HttpTransport transport = new HttpTransport(Credentials.of(kubeconfig))) {
            new RestClient(transport, HostSession.USER_AGENT).raw("GET", "/api/v1/namespaces?limit=1", new byte[0]);
        }
    }

    private static void undo(HostSession host, String namespace, String name, boolean namespaceIsNew) {
        try {
            host.client().delete(TenantClusters.TYPE, namespace, name, Client.DeleteOptions.background());
        } catch (ApiException gone) {
            if (gone.code() != 404) {
                throw gone;
            }
        }
        if (namespaceIsNew) {
            host.client().delete(TenantClusters.NAMESPACES, "", namespace, Client.DeleteOptions.background());
        }
    }

    private void suggest(Console console, String name, String namespace) {
        String flag = namespace.equals(TenantClusters.defaultNamespace(name)) ? "" : " -n " + namespace;
        console.out().println();
        console.out().println("Try next:");
        if (!connect) {
            console.out().println("  atoll connect " + name + flag + "   # point kubectl at it");
        }
        console.out().println("  kubectl get namespaces");
        console.out()
                .println(
                        "  kubectl create deployment hello --image=busybox -- sh -c 'while true; do date; sleep 1; done'");
        console.out().println("  kubectl logs -f deployment/hello");
        console.out().println("  atoll disconnect" + "   # back to where kubectl pointed before");
        console.out().println("  atoll delete " + name + flag);
    }
}
