package io.atoll.cli;

import io.atoll.model.Json;
import io.atoll.model.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code atoll describe}. */
@Command(name = "describe", mixinStandardHelpOptions = true, description = "Shows a tenant's state and configuration.")
final class DescribeCommand implements Callable<Integer> {
    @Mixin
    private final TenantName tenant = new TenantName();

    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    private final Cli.World world;

    DescribeCommand(Cli.World world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        try (HostSession host = HostSession.open(directory.directory(world.environment()))) {
            ObjectNode found = host.tenant(tenant.namespace(), tenant.name());
            ObjectNode shown = Json.object();
            JsonNode status = found.path("status");
            shown.put("name", tenant.name());
            shown.put("namespace", tenant.namespace());
            shown.put("status", status.path("phase").asString("Pending"));
            shown.put("version", status.path("version").asString(""));
            shown.put("endpoint", status.path("endpoint").asString(""));
            shown.put("backingStore", "embedded");
            shown.put(
                    "created", found.path("metadata").path("creationTimestamp").asString(""));
            shown.set(
                    "conditions", status.path("conditions").isMissingNode() ? Json.array() : status.path("conditions"));
            shown.set(
                    "config",
                    found.path("spec").path("config").isMissingNode()
                            ? Json.object()
                            : found.path("spec").path("config"));
            world.console()
                    .out()
                    .println(
                            output.json()
                                    ? new String(Json.encode(shown), StandardCharsets.UTF_8)
                                    : Yaml.encode(shown).strip());
        }
        return 0;
    }
}
