package io.atoll.cli;

import io.atoll.client.Client;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** {@code atoll list}. */
@Command(name = "list", aliases = "ls", mixinStandardHelpOptions = true, description = "Lists the tenants.")
final class ListCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NS",
            description = "Only those in this namespace.")
    private @Nullable String namespace;

    private final Cli.World world;

    ListCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        HostDirectory target = directory.directory(world.environment());
        String current = UserKubeconfig.of(world.environment(), null).currentContext();
        try (HostSession host = HostSession.open(target)) {
            JsonNode tenants = host.client()
                    .list(TenantClusters.TYPE, namespace == null ? "" : namespace, Client.ListOptions.ALL)
                    .path("items");
            if (output.json()) {
                printJson(tenants, current);
            } else {
                printTable(tenants, current);
            }
        }
        return 0;
    }

    private void printTable(JsonNode tenants, String current) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "NAMESPACE", "STATUS", "VERSION", "CONNECTED", "AGE"));
        for (JsonNode tenant : tenants) {
            rows.add(List.of(
                    name(tenant),
                    namespace(tenant),
                    status(tenant),
                    tenant.path("status").path("version").asString(""),
                    connected(tenant, current) ? "True" : "",
                    Console.age(age(tenant))));
        }
        world.console().table(rows);
    }

    private void printJson(JsonNode tenants, String current) {
        ArrayNode all = Json.array();
        for (JsonNode tenant : tenants) {
            all.addObject()
                    .put("Name", name(tenant))
                    .put("Namespace", namespace(tenant))
                    .put("Status", status(tenant))
                    .put("Version", tenant.path("status").path("version").asString(""))
                    .put("Connected", connected(tenant, current))
                    .put("Created", created(tenant).toString())
                    .put("AgeSeconds", age(tenant).toSeconds());
        }
        world.console().out().println(new String(Json.encode(all), StandardCharsets.UTF_8));
    }

    private static String name(JsonNode tenant) {
        return tenant.path("metadata").path("name").asString("");
    }

    private static String namespace(JsonNode tenant) {
        return tenant.path("metadata").path("namespace").asString("");
    }

    private static String status(JsonNode tenant) {
        return tenant.path("metadata").has("deletionTimestamp")
                ? "Terminating"
                : tenant.path("status").path("phase").asString("Pending");
    }

    private static boolean connected(JsonNode tenant, String current) {
        return TenantClusters.contextName(name(tenant), namespace(tenant)).equals(current);
    }

    private static Instant created(JsonNode tenant) {
        return Instant.parse(tenant.path("metadata").path("creationTimestamp").asString(Instant.EPOCH.toString()));
    }

    private Duration age(JsonNode tenant) {
        return Duration.between(created(tenant), world.console().clock().instant());
    }
}
