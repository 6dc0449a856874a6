package io.atoll.apiserver.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Issues a cluster's certificates: ECDSA P-256, SHA-256. Immutable; any thread.
 *
 * <p>Certificates name their issuer by key identifier, so that those of an old and a new authority of the same name can
 * be told apart while one replaces the other.
 */
public final class CertificateAuthority {
    public static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    public static final Duration CERTIFICATE_LIFE = Duration.ofDays(3650);

    /** Clocks differ: a certificate is valid from a little before it was made. */
    private static final Duration BACKDATED = Duration.ofMinutes(5);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final X509Certificate certificate;
    private final PrivateKey key;
    private final InstantSource clock;

    private CertificateAuthority(X509Certificate certificate, PrivateKey key, InstantSource clock) {
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
    }

    /** A new, self-signed authority. */
    public static CertificateAuthority create(String commonName, InstantSource clock) {
        KeyPair keys = newKeyPair();
        X500Name name = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, commonName)
                .build();
        Subject subject = new Subject(name, keys.getPublic(), AUTHORITY_LIFE);
        X509Certificate certificate = sign(name, keys.getPublic(), keys.getPrivate(), subject, clock, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.keyCertSign));
        });
        return new CertificateAuthority(certificate, keys.getPrivate(), clock);
    }

    public static CertificateAuthority load(String certificatePem, String keyPem, InstantSource clock)
            throws GeneralSecurityException {
        return new CertificateAuthority(Pem.certificate(certificatePem), Pem.privateKey(keyPem), clock);
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public String certificatePem() {
        return Pem.encode(certificate);
    }

    public String keyPem() {
        return Pem.encode(key);
    }

    /** A certificate that a server shows. */
    public KeyedCertificate issueServer(String commonName, SubjectNames names, Duration life) {
        List<GeneralName> all = new ArrayList<>();
        names.dnsNames().stream().sorted().forEach(name -> all.add(new GeneralName(GeneralName.dNSName, name)));
        names.addresses().stream().sorted().forEach(ip -> all.add(new GeneralName(GeneralName.iPAddress, ip)));
        X500Name name = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, commonName)
                .build();
        return issue(name, KeyPurposeId.id_kp_serverAuth, all, life);
    }

    /** A certificate by which a client is {@code user} in {@code groups}. */
    public KeyedCertificate issueClient(String user, List<String> groups, Duration life) {
        X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> name.addRDN(BCStyle.O, group));
        name.addRDN(BCStyle.CN, user);
        return issue(name.build(), KeyPurposeId.id_kp_clientAuth, List.of(), life);
    }

    private KeyedCertificate issue(X500Name name, KeyPurposeId purpose, List<GeneralName> names, Duration life) {
        KeyPair keys = newKeyPair();
        Subject subject = new Subject(name, keys.getPublic(), life);
        X500Name issuer =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        X509Certificate issued = sign(issuer, certificate.getPublicKey(), key, subject, clock, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(
                    Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            if (!names.isEmpty()) {
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
            }
        });
        return new KeyedCertificate(issued, keys.getPrivate());
    }

    /** A new P-256 key pair. */
    public static KeyPair newKeyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no P-256 in this JDK", e);
        }
    }

    private record Subject(X500Name name, PublicKey key, Duration life) {}

    private interface Extensions {
        void addTo(X509v3CertificateBuilder builder) throws IOException;
    }

    private static X509Certificate sign(
            X500Name issuer,
            PublicKey issuerKey,
            PrivateKey signingKey,
            Subject subject,
            InstantSource clock,
            Extensions extensions) {
        Instant now = clock.instant();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM).setBit(126),
                Date.from(now.minus(BACKDATED)),
                Date.from(now.plus(subject.life())),
                subject.name(),
                subject.key());
        try {
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            extensions.addTo(builder);
            builder.addExtension(
                    Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(subject.key()));
            builder.addExtension(
                    Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(issuerKey));
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signingKey)));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("cannot issue a certificate for " + subject.name(), e);
        }
    }
}
