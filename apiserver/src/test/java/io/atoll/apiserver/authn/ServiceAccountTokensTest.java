package io.atoll.apiserver.authn;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authn.TokenSpec.ObjectIdentity;
import io.atoll.apiserver.pki.CertificateAuthority;
import io.atoll.model.Json;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ServiceAccountTokensTest {
    private static final String ISSUER = "https://kubernetes.default.svc/tenants/a";
    private static final ObjectIdentity ACCOUNT = new ObjectIdentity("builder", "sa-uid");
    private static final ObjectIdentity POD = new ObjectIdentity("p", "pod-uid");
    private static final ObjectIdentity NODE = new ObjectIdentity("n", "node-uid");
    private static final ObjectIdentity SECRET = new ObjectIdentity("s", "secret-uid");
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-12-01T10:00:00Z"));
    private final StoredObjects objects = new StoredObjects();
    private final KeyPair keys = CertificateAuthority.newKeyPair();
    private final ServiceAccountTokens tokens =
            new ServiceAccountTokens(ISSUER, keys, List.of(), objects, () -> now.get());

    @BeforeEach
    void store() {
        objects.put("serviceaccounts", "ci", "builder", "\"name\":\"builder\",\"uid\":\"sa-uid\"");
        objects.put("pods", "ci", "p", "\"name\":\"p\",\"uid\":\"pod-uid\"");
        objects.put("nodes", "", "n", "\"uid\":\"node-uid\"");
        objects.put("secrets", "ci", "s", "\"uid\":\"secret-uid\"");
    }

    private String issue(TokenSpec spec) {
        return tokens.issue(spec).token();
    }

    private static TokenSpec spec() {
        return TokenSpec.of("ci", ACCOUNT, List.of(), HOUR);
    }

    private boolean good(String token) {
        return tokens.verify(token, List.of()).isPresent();
    }

    @Test
    void aTokenCarriesKubernetesClaims() throws Exception {
        ServiceAccountTokens.Issued issued = tokens.issue(spec().boundToPod(POD, Optional.of(NODE)));
        assertThat(issued.expires()).isEqualTo(Instant.parse("2026-12-01T11:00:00Z"));
        SignedJWT jwt = SignedJWT.parse(issued.token());
        assertThat(jwt.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.ES256);
        JWTClaimsSet claims = jwt.getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("system:serviceaccount:ci:builder");
        assertThat(claims.getIssuer()).isEqualTo(ISSUER);
        assertThat(claims.getAudience()).containsExactly(ISSUER);
        assertThat(claims.getJSONObjectClaim("kubernetes.io"))
                .isEqualTo(Map.of(
                        "namespace", "ci",
                        "node", Map.of("name", "n", "uid", "node-uid"),
                        "pod", Map.of("name", "p", "uid", "pod-uid"),
                        "serviceaccount", Map.of("name", "builder", "uid", "sa-uid")));
    }

    @Test
    void itsUserIsTheServiceAccount() {
        UserInfo user = tokens.verify(issue(spec().boundToPod(POD, Optional.of(NODE))), List.of())
                .orElseThrow()
                .user();
        assertThat(user.name()).isEqualTo("system:serviceaccount:ci:builder");
        assertThat(user.uid()).isEqualTo("sa-uid");
        assertThat(user.groups())
                .containsExactly("system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated");
        assertThat(user.extra())
                .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
                .containsEntry("authentication.kubernetes.io/pod-uid", List.of("pod-uid"))
                .containsEntry("authentication.kubernetes.io/node-name", List.of("n"))
                .containsEntry("authentication.kubernetes.io/node-uid", List.of("node-uid"));
        assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
                .singleElement()
                .asString()
                .startsWith("JTI=");
    }

    @Test
    void itDiesWithTime() {
        String token = issue(spec());
        assertThat(good(token)).isTrue();
        now.set(Instant.parse("2026-12-01T10:59:59Z"));
        assertThat(good(token)).isTrue();
        now.set(Instant.parse("2026-12-01T11:00:00Z"));
        assertThat(good(token)).isFalse();
        now.set(Instant.parse("2026-12-01T09:00:00Z"));
        assertThat(good(token)).isFalse();
    }

    @Test
    void itDiesWithItsServiceAccount() {
        String token = issue(spec());
        objects.put("serviceaccounts", "ci", "builder", "\"uid\":\"another-uid\"");
        assertThat(good(token)).isFalse();
        String deleting = "\"uid\":\"sa-uid\",\"deletionTimestamp\":";
        objects.put("serviceaccounts", "ci", "builder", deleting + "\"2026-12-01T09:59:30Z\"");
        assertThat(good(token)).isTrue();
        objects.put("serviceaccounts", "ci", "builder", deleting + "\"2026-12-01T09:58:00Z\"");
        assertThat(good(token)).isFalse();
        objects.remove("serviceaccounts", "ci", "builder");
        assertThat(good(token)).isFalse();
    }

    @Test
    void itDiesWithWhatItIsBoundTo() {
        Map<TokenSpec, Runnable> deaths = Map.of(
                spec().boundToPod(POD, Optional.of(NODE)), () -> objects.remove("pods", "ci", "p"),
                spec().boundToNode(NODE), () -> objects.remove("nodes", "", "n"),
                spec().boundToSecret(SECRET), () -> objects.put("secrets", "ci", "s", "\"uid\":\"recreated\""));
        deaths.forEach((bound, death) -> {
            String token = issue(bound);
            assertThat(good(token)).as("%s", bound).isTrue();
            death.run();
            assertThat(good(token)).as("%s", bound).isFalse();
        });
    }

    @Test
    void itIsGoodForItsAudiencesOnly() {
        String vault = issue(TokenSpec.of("ci", ACCOUNT, List.of("vault", "x"), HOUR));
        assertThat(good(vault)).isFalse();
        assertThat(tokens.verify(vault, List.of("y", "vault")).orElseThrow().audiences())
                .containsExactly("vault");
        assertThat(tokens.verify(vault, List.of("y"))).isEmpty();
    }

    @Test
    void anotherClustersTokenIsRefused() {
        StoredObjects same = new StoredObjects();
        same.put("serviceaccounts", "ci", "builder", "\"uid\":\"sa-uid\"");
        ServiceAccountTokens otherKey =
                new ServiceAccountTokens(ISSUER, CertificateAuthority.newKeyPair(), List.of(), same, () -> now.get());
        ServiceAccountTokens otherIssuer = new ServiceAccountTokens(
                "https://kubernetes.default.svc/tenants/b", keys, List.of(), same, () -> now.get());
        assertThat(good(otherKey.issue(spec()).token())).isFalse();
        TokenSpec forUs = TokenSpec.of("ci", ACCOUNT, List.of(ISSUER), HOUR);
        assertThat(good(otherIssuer.issue(forUs).token())).isFalse();
    }

    @Test
    void aForgedTokenIsRefused() throws Exception {
        String genuine = issue(spec());
        JWTClaimsSet claims = SignedJWT.parse(genuine).getJWTClaimsSet();
        String keyId = SignedJWT.parse(genuine).getHeader().getKeyID();

        SignedJWT foreign = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(keyId).build(), claims);
        foreign.sign(
                new ECDSASigner((ECPrivateKey) CertificateAuthority.newKeyPair().getPrivate()));
        SignedJWT symmetric = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(keyId).build(), claims);
        symmetric.sign(new MACSigner(keys.getPublic().getEncoded()));
        List<String> parts = List.of(genuine.split("\\."));
        String unsigned = parts.get(0) + "." + parts.get(1) + ".";

        assertThat(List.of(
                        foreign.serialize(),
                        symmetric.serialize(),
                        new PlainJWT(claims).serialize(),
                        unsigned,
                        unsigned + parts.get(2) + "AAAA",
                        "x",
                        "",
                        "a.b.c",
                        "x".repeat(1_000_000)))
                .noneMatch(this::good);
        assertThat(good(genuine)).isTrue();
    }

    @Test
    void keysOfBeforeStayTrusted() {
        String before = issue(spec());
        KeyPair next = CertificateAuthority.newKeyPair();
        ServiceAccountTokens rotated =
                new ServiceAccountTokens(ISSUER, next, List.of(keys.getPublic()), objects, () -> now.get());
        assertThat(rotated.verify(before, List.of())).isPresent();
        assertThat(good(rotated.issue(spec()).token())).isFalse();
    }

    @Test
    void publishesItsKeys() throws Exception {
        JWKSet set = JWKSet.parse(new String(IssuerDocuments.keySet(tokens), UTF_8));
        SignedJWT jwt = SignedJWT.parse(issue(spec()));
        ECKey key = set.getKeyByKeyId(jwt.getHeader().getKeyID()).toECKey();
        assertThat(key.isPrivate()).isFalse();
        assertThat(jwt.verify(new ECDSAVerifier(key))).isTrue();
        assertThat(Json.parse(IssuerDocuments.configuration(tokens, "https://x/openid/v1/jwks"))
                        .path("issuer")
                        .asString(""))
                .isEqualTo(ISSUER);
    }
}
