package io.atoll.tenancy;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tenant that is being served: its cluster with its controllers and its syncer. Closed in the reverse order of the
 * start.
 */
final class RunningTenant implements AutoCloseable {
    private final ClusterAssembly cluster;
    private final JsonNode config;
    private final AutoCloseable controllers;
    private final AutoCloseable syncer;

    RunningTenant(ClusterAssembly cluster, JsonNode config, AutoCloseable controllers, AutoCloseable syncer) {
        this.cluster = cluster;
        this.config = config;
        this.controllers = controllers;
        this.syncer = syncer;
    }

    String endpoint() {
        return cluster.endpoint();
    }

    /** What it was started with. */
    JsonNode config() {
        return config;
    }

    /** A Secret with a new cluster-admin kubeconfig, in the form that vCluster gives it. */
    ObjectNode credentials(String name, ObjectNode tenant) {
        String context =
                "atoll_" + cluster.tenant().name() + "_" + cluster.tenant().namespace();
        String kubeconfig = cluster.keys().adminKubeconfig(context, cluster.endpoint());
        ObjectNode secret = Json.object();
        secret.put("apiVersion", "v1").put("kind", "Secret");
        ObjectNode metadata = secret.putObject("metadata");
        metadata.put("name", name).put("namespace", cluster.tenant().namespace());
        metadata.putObject("labels")
                .put("app", "vcluster")
                .put("vcluster-name", cluster.tenant().name());
        metadata.putObject("annotations").put(HostObjects.ENDPOINT, cluster.endpoint());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", TenantClusterDefinition.TYPE.apiVersion())
                .put("kind", TenantClusterDefinition.TYPE.kind())
                .put("name", Metadata.name(tenant))
                .put("uid", Metadata.uid(tenant));
        secret.put("type", "Opaque");
        secret.putObject("data")
                .put("config", base64(kubeconfig))
                .put("certificate-authority", base64(cluster.keys().authority().certificatePem()));
        return secret;
    }

    @Override
    public void close() {
        List.of(syncer, controllers, cluster).forEach(part -> {
            try {
                part.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
