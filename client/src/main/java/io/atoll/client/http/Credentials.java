package io.atoll.client.http;

import io.atoll.client.Kubeconfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where an API server is, how it is recognised, and who the caller is to it. Immutable. Texts that are not used are
 * empty.
 *
 * @param server e.g. {@code https://127.0.0.1:6443}, maybe with a path in front of all others
 * @param authorityPem whose certificates are trusted; empty for the JDK's own authorities
 * @param clientCertificatePem the caller's certificate, with {@code clientKeyPem}
 * @param token a bearer token
 * @param tlsServerName the name to expect in the server's certificate, and to ask for, instead of the host's
 * @param insecure true trusts any server: for tests by hand only
 */
public record Credentials(
        String server,
        String authorityPem,
        String clientCertificatePem,
        String clientKeyPem,
        String token,
        String tlsServerName,
        boolean insecure) {

    /** The current context of a kubeconfig. */
    public static Credentials of(Kubeconfig config) {
        if (config.currentContext().isEmpty()) {
            throw new IllegalArgumentException("the kubeconfig has no current context");
        }
        return of(config, config.currentContext());
    }

    public static Credentials of(Kubeconfig config, String contextName) {
        ObjectNode context = config.context(contextName)
                .orElseThrow(() -> new IllegalArgumentException("the kubeconfig has no context " + contextName));
        String clusterName = context.path("cluster").asString("");
        ObjectNode cluster = config.cluster(clusterName)
                .orElseThrow(() -> new IllegalArgumentException("the kubeconfig has no cluster " + clusterName));
        Optional<ObjectNode> user = config.user(context.path("user").asString(""));
        return new Credentials(
                cluster.path("server").asString(""),
                data(cluster, "certificate-authority"),
                user.map(fields -> data(fields, "client-certificate")).orElse(""),
                user.map(fields -> data(fields, "client-key")).orElse(""),
                user.map(fields -> fields.path("token").asString("")).orElse(""),
                cluster.path("tls-server-name").asString(""),
                cluster.path("insecure-skip-tls-verify").asBoolean(false));
    }

    /** Inline data, or else the content of the file that is named. */
    private static String data(JsonNode fields, String name) {
        String inline = fields.path(name + "-data").asString("");
        if (!inline.isEmpty()) {
            return new String(Base64.getDecoder().decode(inline), StandardCharsets.US_ASCII);
        }
        String file = fields.path(name).asString("");
        return file.isEmpty() ? "" : CredentialFile.read(file);
    }

    @Override
    public String toString() {
        return "Credentials[" + server + "]"; // no secrets in logs
    }
}
