package io.atoll.apiserver.authn;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authn.TokenSpec.ObjectIdentity;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Issues and verifies the service-account tokens of one cluster. Any thread.
 *
 * <p>A token is good while its signature is by one of this cluster's keys, its issuer is this cluster, its time has not
 * run out, and what it is bound to still lives with the same UID. The last is looked up each time, so that deleting a
 * pod, Secret or service account revokes its tokens at once; the signature is checked once and remembered.
 */
public final class ServiceAccountTokens {
    static final String USER_PREFIX = "system:serviceaccount:";

    private static final int VERIFIED_MAX = 4_096;
    private static final int TOKEN_CHARS_MAX = 16 * 1024;
    private static final String PRIVATE_CLAIM = "kubernetes.io";

    private final String issuer;
    private final String keyId;
    private final JWSSigner signer;
    private final Map<String, JWSVerifier> verifiers = new LinkedHashMap<>();
    private final List<PublicKey> publicKeys;
    private final BoundObjects bound;
    private final InstantSource clock;
    private final Map<String, TokenClaims> verified = new ConcurrentHashMap<>();

    /** A token and when it runs out. */
    public record Issued(String token, Instant expires) {}

    /**
     * A token that is good here.
     *
     * @param audiences those asked for that the token is meant for
     */
    public record Verified(UserInfo user, List<String> audiences) {}

    /**
     * Tokens of one cluster.
     *
     * @param issuer an https URL that no other cluster has, e.g. with the cluster's UID in its path
     * @param signing signs new tokens
     * @param alsoTrusted keys of before, until their tokens have run out
     */
    public ServiceAccountTokens(
            String issuer, KeyPair signing, List<PublicKey> alsoTrusted, ObjectReader objects, InstantSource clock) {
        this.issuer = issuer;
        this.clock = clock;
        this.bound = new BoundObjects(objects, clock);
        this.keyId = keyId(signing.getPublic());
        List<PublicKey> keys = new java.util.ArrayList<>();
        keys.add(signing.getPublic());
        keys.addAll(alsoTrusted);
        this.publicKeys = List.copyOf(keys);
        try {
            this.signer = new ECDSASigner((ECPrivateKey) signing.getPrivate());
            for (PublicKey key : publicKeys) {
                verifiers.put(keyId(key), new ECDSAVerifier((ECPublicKey) key));
            }
        } catch (JOSEException e) {
            throw new IllegalArgumentException("service-account keys must be ECDSA P-256", e);
        }
    }

    public String issuer() {
        return issuer;
    }

    List<PublicKey> publicKeys() {
        return publicKeys;
    }

    public Issued issue(TokenSpec spec) {
        Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
        Instant expires = now.plus(spec.life());
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(USER_PREFIX + spec.namespace() + ":"
                        + spec.serviceAccount().name())
                .audience(spec.audiences().isEmpty() ? List.of(issuer) : spec.audiences())
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(expires))
                .jwtID(UUID.randomUUID().toString())
                .claim(PRIVATE_CLAIM, privateClaim(spec))
                .build();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(keyId).build(), claims);
        try {
            token.sign(signer);
        } catch (JOSEException e) {
            throw new IllegalStateException("cannot sign a token", e);
        }
        return new Issued(token.serialize(), expires);
    }

    private static Map<String, Object> privateClaim(TokenSpec spec) {
        Map<String, Object> claim = new LinkedHashMap<>();
        claim.put("namespace", spec.namespace());
        spec.node().ifPresent(node -> claim.put("node", reference(node)));
        spec.pod().ifPresent(pod -> claim.put("pod", reference(pod)));
        spec.secret().ifPresent(secret -> claim.put("secret", reference(secret)));
        claim.put("serviceaccount", reference(spec.serviceAccount()));
        return claim;
    }

    private static Map<String, Object> reference(ObjectIdentity object) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("name", object.name());
        reference.put("uid", object.uid());
        return reference;
    }

    /**
     * The user of a token, if it is good here.
     *
     * @param audiences for whom it must be meant, any of them; empty for the API server itself
     */
    public Optional<Verified> verify(String token, List<String> audiences) {
        if (token.length() > TOKEN_CHARS_MAX) {
            return Optional.empty();
        }
        TokenClaims claims = verified.get(token);
        if (claims == null) {
            Optional<TokenClaims> checked = check(token);
            if (checked.isEmpty()) {
                return Optional.empty();
            }
            claims = checked.get();
            remember(token, claims);
        }
        List<String> wanted = audiences.isEmpty() ? List.of(issuer) : audiences;
        List<String> common =
                wanted.stream().filter(claims.audiences()::contains).toList();
        if (common.isEmpty() || !claims.validAt(clock.instant()) || !bound.alive(claims)) {
            return Optional.empty();
        }
        return Optional.of(new Verified(claims.user(), common));
    }

    private void remember(String token, TokenClaims claims) {
        if (verified.size() >= VERIFIED_MAX) {
            verified.clear();
        }
        verified.put(token, claims);
    }

    private Optional<TokenClaims> check(String token) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            if (!JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())) {
                return Optional.empty();
            }
            JWSVerifier verifier = verifiers.get(jwt.getHeader().getKeyID());
            if (verifier == null || !jwt.verify(verifier)) {
                return Optional.empty();
            }
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            if (!issuer.equals(claims.getIssuer())) {
                return Optional.empty();
            }
            return TokenClaims.read(claims, claims.getJSONObjectClaim(PRIVATE_CLAIM));
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** As Kubernetes names keys: the SHA-256 of the encoded public key. */
    static String keyId(PublicKey key) {
        try {
            return Base64URL.encode(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()))
                    .toString();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no SHA-256 in this JDK", e);
        }
    }
}
