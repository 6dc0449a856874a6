package io.atoll.bench.provision;

import io.atoll.cli.Cli;
import io.atoll.cli.CommandFailure;
import io.atoll.cli.Console;
import io.atoll.cli.HostSettings;
import io.atoll.cli.TemporaryHost;
import io.atoll.client.Client;
import io.atoll.client.Kubeconfig;
import io.atoll.client.RestClient;
import io.atoll.client.http.Credentials;
import io.atoll.client.http.HttpTransport;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates tenants one after the other on a fresh embedded host. The time of one is from the moment its TenantCluster is
 * posted to the answer to {@code GET /api/v1/namespaces} over TLS with the credentials it was given. The first ones,
 * which find the host's code cold, are shown apart.
 */
public final class ProvisionBench implements Cli.Bench {
    private static final int WARM_UP = 10;
    private static final int MEASURED = 20;
    private static final int READY_SECONDS_MAX = 60;
    private static final String NAMESPACE = "default";
    private static final ResourceType TENANTS =
            ResourceType.of("atoll.dev", "v1alpha1", "tenantclusters", "TenantCluster", true);
    private static final ResourceType SECRETS = ResourceType.of("", "v1", "secrets", "Secret", true);

    @Override
    public String description() {
        return "20 tenants: time from create to the first answered request, memory per tenant";
    }

    @Override
    public int run(List<String> arguments, Console console) throws Exception {
        if (!arguments.isEmpty()) {
            throw CommandFailure.usage("bench provision takes no arguments");
        }
        console.step("starting a host of its own");
        try (TemporaryHost host = TemporaryHost.start(new HostSettings(0, List.of("1:cpu"), false), console)) {
            double first = provision(host.client(), "warm-0").total();
            for (int i = 1; i < WARM_UP; i++) {
                provision(host.client(), "warm-" + i);
            }
            double before = residentMebibytes(host);
            double[] times = new double[MEASURED];
            double[] readyTimes = new double[MEASURED];
            for (int i = 0; i < MEASURED; i++) {
                Provisioned provisioned = provision(host.client(), "tenant-" + i);
                times[i] = provisioned.total();
                readyTimes[i] = provisioned.ready();
            }
            double after = residentMebibytes(host);
            Arrays.sort(times);
            Arrays.sort(readyTimes);
            console.table(List.of(
                    List.of("MEASURE", "VALUE", "GOAL"),
                    List.of("create to first answer, first tenant of the process", milliseconds(first), ""),
                    List.of(
                            "create to first answer, p50 of " + MEASURED,
                            milliseconds(quantile(times, 0.50)),
                            "100 ms"),
                    List.of(
                            "create to first answer, p99 of " + MEASURED,
                            milliseconds(quantile(times, 0.99)),
                            "300 ms"),
                    List.of("of which until the tenant is Ready, p50", milliseconds(quantile(readyTimes, 0.50)), ""),
                    List.of("host resident with " + WARM_UP + " tenants", mebibytes(before), ""),
                    List.of("resident per further tenant", mebibytes((after - before) / MEASURED), "3 MiB")));
        }
        return 0;
    }

    /** Milliseconds from POST to the Ready condition, and to the tenant's first answer. */
    private record Provisioned(double ready, double total) {}

    private static Provisioned provision(Client host, String name) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(1);
        long start = System.nanoTime();
        ObjectNode tenant = Json.object();
        tenant.put("apiVersion", TENANTS.apiVersion()).put("kind", TENANTS.kind());
        tenant.putObject("metadata").put("name", name);
        tenant.putObject("spec");
        ObjectNode created = host.create(TENANTS, NAMESPACE, tenant);
        Client.ListOptions one = new Client.ListOptions(
                "",
                "metadata.name=" + name,
                created.path("metadata").path("resourceVersion").asString(""),
                0,
                "");
        try (var _ = host.watch(TENANTS, NAMESPACE, one, new ReadySink(ready))) {
            if (!ready.await(READY_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new CommandFailure("tenant " + name + " is not ready after " + READY_SECONDS_MAX + " s");
            }
        }
        double untilReady = (System.nanoTime() - start) / 1e6;
        JsonNode secret = host.get(SECRETS, NAMESPACE, "vc-" + name);
        Kubeconfig kubeconfig = Kubeconfig.parse(new String(
                Base64.getDecoder().decode(secret.path("data").path("config").asString("")), StandardCharsets.UTF_8));
        try (HttpTransport transport = new HttpTransport(Credentials.of(kubeconfig))) {
            new RestClient(transport, "atoll-bench").raw("GET", "/api/v1/namespaces", new byte[0]);
        }
        return new Provisioned(untilReady, (System.nanoTime() - start) / 1e6);
    }

    /** Of the host's process, after a full collection. */
    private static double residentMebibytes(TemporaryHost host) throws IOException, InterruptedException {
        long pid = host.process().pid();
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        "GC.run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        return ResidentMemory.bytes(pid) / 1048576.0;
    }

    private static double quantile(double[] sorted, double q) {
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)];
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, "%.0f ms", value);
    }

    private static String mebibytes(double value) {
        return String.format(Locale.ROOT, "%.1f MiB", value);
    }
}
