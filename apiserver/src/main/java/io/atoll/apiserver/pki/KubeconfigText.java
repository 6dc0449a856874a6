package io.atoll.apiserver.pki;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writes kubeconfig files for client certificates. */
public final class KubeconfigText {
    private KubeconfigText() {}

    /**
     * A kubeconfig with one cluster, one user and one context, which is current.
     *
     * @param context names all three
     * @param server e.g. {@code https://127.0.0.1:6443}
     */
    public static String of(String context, String server, String authorityPem, KeyedCertificate client) {
        String name = quote(context);
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %s
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: %s
                  user:
                    client-certificate-data: %s
                    client-key-data: %s
                contexts:
                - name: %s
                  context:
                    cluster: %s
                    user: %s
                current-context: %s
                preferences: {}
                """.formatted(
                        name,
                        quote(server),
                        base64(authorityPem),
                        name,
                        base64(client.certificatePem()),
                        base64(client.keyPem()),
                        name,
                        name,
                        name,
                        name);
    }

    private static String quote(String text) {
        return JsonNodeFactory.instance.stringNode(text).toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
