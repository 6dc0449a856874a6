package io.atoll.apiserver.authn;

import io.atoll.apiserver.UserInfo;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * Users by client certificate: issued by one of the cluster's own authorities, for client authentication, in date.
 * The name is the common name, the groups are the organisations. Any thread.
 */
final class ClientCertificates {
    private static final int VERIFIED_MAX = 1_024;
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    private static final String ANY_USAGE = "2.5.29.37.0";

    private final List<X509Certificate> authorities;
    private final InstantSource clock;
    private final Map<X509Certificate, UserInfo> verified = new ConcurrentHashMap<>();

    ClientCertificates(List<X509Certificate> authorities, InstantSource clock) {
        this.authorities = List.copyOf(authorities);
        this.clock = clock;
    }

    Optional<UserInfo> user(X509Certificate certificate) {
        Instant now = clock.instant();
        if (now.isBefore(certificate.getNotBefore().toInstant())
                || now.isAfter(certificate.getNotAfter().toInstant())) {
            return Optional.empty();
        }
        UserInfo known = verified.get(certificate);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<UserInfo> user = trusted(certificate, now) ? read(certificate) : Optional.empty();
        if (user.isPresent()) {
            if (verified.size() >= VERIFIED_MAX) {
                verified.clear();
            }
            verified.put(certificate, user.get());
        }
        return user;
    }

    private boolean trusted(X509Certificate certificate, Instant now) {
        try {
            List<String> usages = certificate.getExtendedKeyUsage();
            if (usages != null && !usages.contains(CLIENT_AUTH) && !usages.contains(ANY_USAGE)) {
                return false;
            }
            if (certificate.hasUnsupportedCriticalExtension()) {
                return false;
            }
        } catch (GeneralSecurityException e) {
            return false;
        }
        return authorities.stream().anyMatch(authority -> issuedBy(certificate, authority, now));
    }

    private static boolean issuedBy(X509Certificate certificate, X509Certificate authority, Instant now) {
        if (!certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())
                || now.isAfter(authority.getNotAfter().toInstant())) {
            return false;
        }
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Optional<UserInfo> read(X509Certificate certificate) {
        X500Name subject =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        List<String> names = values(subject, BCStyle.CN);
        if (names.isEmpty() || names.getFirst().isEmpty()) {
            return Optional.empty();
        }
        List<String> groups = new ArrayList<>(values(subject, BCStyle.O));
        if (!groups.contains(UserInfo.SYSTEM_AUTHENTICATED)) {
            groups.add(UserInfo.SYSTEM_AUTHENTICATED);
        }
        Map<String, List<String>> extra =
                Map.of("authentication.kubernetes.io/credential-id", List.of("X509SHA256=" + fingerprint(certificate)));
        return Optional.of(new UserInfo(names.getLast(), "", groups, extra));
    }

    private static List<String> values(X500Name name, ASN1ObjectIdentifier type) {
        List<String> values = new ArrayList<>();
        for (RDN part : name.getRDNs(type)) {
            for (var attribute : part.getTypesAndValues()) {
                if (attribute.getType().equals(type) && attribute.getValue() instanceof ASN1String value) {
                    values.add(value.getString());
                }
            }
        }
        return values;
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
