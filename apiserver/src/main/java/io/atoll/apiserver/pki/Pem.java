package io.atoll.apiserver.pki;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** Reads and writes keys and certificates as PEM text. Elliptic-curve keys only. */
public final class Pem {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    public static String encode(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** PKCS #8. */
    public static String encode(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    public static String encode(PublicKey key) {
        return block("PUBLIC KEY", key.getEncoded());
    }

    /** The first certificate of a PEM text, whatever else it holds. */
    public static X509Certificate certificate(String pem) throws GeneralSecurityException {
        return parse(content("CERTIFICATE", pem));
    }

    private static X509Certificate parse(byte[] der) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }

    public static PrivateKey privateKey(String pem) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(content("PRIVATE KEY", pem)));
    }

    public static PublicKey publicKey(String pem) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(content("PUBLIC KEY", pem)));
    }

    private static String block(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(der) + "\n-----END " + label + "-----\n";
    }

    private static byte[] content(String label, String pem) throws GeneralSecurityException {
        String begin = "-----BEGIN " + label + "-----";
        int start = pem.indexOf(begin);
        int end = pem.indexOf("-----END " + label + "-----");
        if (start < 0 || end < start) {
            throw new GeneralSecurityException("no " + label + " in the PEM text");
        }
        try {
            return Base64.getMimeDecoder().decode(pem.substring(start + begin.length(), end));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("broken " + label + " in the PEM text", e);
        }
    }
}
