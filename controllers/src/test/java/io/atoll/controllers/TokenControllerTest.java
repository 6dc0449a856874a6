package io.atoll.controllers;

import io.atoll.apiserver.StandardExtensions;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.pki.CertificateAuthority;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.testkit.TestCluster;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
final class TokenControllerTest {
    private final KeyPair keys = CertificateAuthority.newKeyPair();
    private final AtomicReference<ServiceAccountTokens> tokens = new AtomicReference<>();

    @Test
    void fillsTokenSecretsAndDeletesThoseOfGoneAccounts() {
        try (TestCluster cluster = TestCluster.start(
                        TenantId.HOST,
                        options -> options.withExtensions(StandardExtensions.of(context -> {
                            tokens.set(new ServiceAccountTokens(
                                    "https://host", keys, List.of(), context.objects(), Timers.system()));
                            return tokens.get();
                        })));
                BuiltInControllers _ = BuiltInControllers.start(
                        cluster.client(), cluster.cache(), BuiltInControllers.Options.all(ControllerFixture.CA))) {
            cluster.client().create(Kinds.SERVICE_ACCOUNTS, "default", Yaml.parse("""
                    {apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}"""));
            cluster.client().create(Kinds.SECRETS, "default", Yaml.parse("""
                    apiVersion: v1
                    kind: Secret
                    type: kubernetes.io/service-account-token
                    metadata: {name: robot-token, annotations: {kubernetes.io/service-account.name: robot}}
                    """));
            ObjectNode filled = cluster.await(
                    Kinds.SECRETS,
                    "default",
                    "robot-token",
                    secret -> secret.path("data").has("token"));
            assertThat(text(filled, "namespace")).isEqualTo("default");
            assertThat(text(filled, "ca.crt")).isEqualTo(ControllerFixture.CA);
            assertThat(Metadata.annotation(filled, "kubernetes.io/service-account.uid"))
                    .isEqualTo(Metadata.uid(cluster.client().get(Kinds.SERVICE_ACCOUNTS, "default", "robot")));
            assertThat(tokens.get().verify(text(filled, "token"), List.of("https://host")))
                    .hasValueSatisfying(verified ->
                            assertThat(verified.user().name()).isEqualTo("system:serviceaccount:default:robot"));

            cluster.client().delete(Kinds.SERVICE_ACCOUNTS, "default", "robot", Client.DeleteOptions.DEFAULT);
            cluster.awaitGone(Kinds.SECRETS, "default", "robot-token");
        }
    }

    private static String text(ObjectNode secret, String field) {
        return new String(
                Base64.getDecoder().decode(secret.path("data").path(field).asString("")), StandardCharsets.UTF_8);
    }
}
