package io.atoll.apiserver.authn;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** The documents by which others verify this cluster's service-account tokens. */
public final class IssuerDocuments {
    private IssuerDocuments() {}

    /** {@code /openid/v1/jwks}, of content type {@code application/jwk-set+json}. */
    public static byte[] keySet(ServiceAccountTokens tokens) {
        List<com.nimbusds.jose.jwk.JWK> keys =
                tokens.publicKeys().stream().map(IssuerDocuments::key).collect(Collectors.toList());
        return new JWKSet(keys).toString(true).getBytes(StandardCharsets.UTF_8);
    }

    private static com.nimbusds.jose.jwk.JWK key(PublicKey key) {
        return new ECKey.Builder(Curve.P_256, (ECPublicKey) key)
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.ES256)
                .keyID(ServiceAccountTokens.keyId(key))
                .build();
    }

    /**
     * {@code /.well-known/openid-configuration}.
     *
     * @param keySetUri where {@link #keySet} is served, e.g. {@code https://host:port/openid/v1/jwks}
     */
    public static byte[] configuration(ServiceAccountTokens tokens, String keySetUri) {
        ObjectNode document = Json.object();
        document.put("issuer", tokens.issuer()).put("jwks_uri", keySetUri);
        document.putArray("response_types_supported").add("id_token");
        document.putArray("subject_types_supported").add("public");
        document.putArray("id_token_signing_alg_values_supported").add(JWSAlgorithm.ES256.getName());
        return Json.encode(document);
    }
}
