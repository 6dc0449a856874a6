package io.atoll.cli;

import io.atoll.client.Client;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code atoll delete}: removes a tenant with all it has on the host. */
@Command(name = "delete", mixinStandardHelpOptions = true, description = "Deletes a tenant and everything in it.")
final class DeleteCommand implements Callable<Integer> {
    @Mixin
    private final TenantName tenant = new TenantName();

    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--wait",
            arity = "0..1",
            fallbackValue = "true",
            description = "Return when it has gone (default: true).")
    private boolean wait = true;

    @Option(names = "--ignore-not-found", description = "Succeed when there is no such tenant.")
    private boolean ignoreNotFound;

    @Option(
            names = "--auto-delete-namespace",
            arity = "0..1",
            fallbackValue = "true",
            description = "Delete its namespace too if 'atoll create' made it (default: true).")
    private boolean autoDeleteNamespace = true;

    @Option(names = "--delete-namespace", description = "Delete its namespace too, whoever made it.")
    private boolean deleteNamespace;

    private final Cli.World world;

    DeleteCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        String name = tenant.name();
        String namespace = tenant.namespace();
        try (HostSession host = HostSession.open(directory.directory(world.environment()))) {
            Client client = host.client();
            Optional<ObjectNode> found = client.find(TenantClusters.TYPE, namespace, name);
            if (found.isEmpty() && ignoreNotFound) {
                return 0;
            }
            host.tenant(namespace, name);
            world.console().step("deleting tenant " + name + " in namespace " + namespace);
            client.delete(TenantClusters.TYPE, namespace, name, Client.DeleteOptions.background());
            UserKubeconfig.of(world.environment(), null).forget(TenantClusters.contextName(name, namespace));
            if (wait) {
                client.find(TenantClusters.TYPE, namespace, name)
                        .ifPresent(last -> TenantWait.untilGone(client, namespace, name, last));
            }
            if (namespaceGoesToo(client, namespace)) {
                client.delete(TenantClusters.NAMESPACES, "", namespace, Client.DeleteOptions.background());
            }
            world.console().step("deleted tenant " + name);
        }
        return 0;
    }

    private boolean namespaceGoesToo(Client client, String namespace) {
        if (deleteNamespace) {
            return true;
        }
        boolean othersLeft = !client.list(TenantClusters.TYPE, namespace, Client.ListOptions.ALL)
                .path("items")
                .isEmpty();
        return autoDeleteNamespace
                && !othersLeft
                && client.find(TenantClusters.NAMESPACES, "", namespace)
                        .map(object -> object.path("metadata")
                                .path("annotations")
                                .path(TenantClusters.CREATED_BY_CLI)
                                .asString("")
                                .equals("true"))
                        .orElse(false);
    }
}
