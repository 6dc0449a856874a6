package io.atoll.client.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads private keys as kubeconfigs hold them: PKCS #8, PKCS #1 (RSA) and SEC 1 (elliptic curve). */
final class PemKey {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END");

    /** Version 0, algorithm rsaEncryption. */
    private static final byte[] RSA_PREFIX = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private static final byte[] EC_PUBLIC_KEY = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final byte[] VERSION_0 = {2, 1, 0};

    private PemKey() {}

    static PrivateKey parse(String pem) throws GeneralSecurityException {
        Matcher key = KEY.matcher(pem);
        if (!key.find()) {
            throw new GeneralSecurityException("no private key in the PEM text");
        }
        byte[] der = Base64.getMimeDecoder().decode(key.group(2));
        return switch (key.group(1)) {
            case "RSA PRIVATE KEY" ->
                KeyFactory.getInstance("RSA")
                        .generatePrivate(new PKCS8EncodedKeySpec(sequence(RSA_PREFIX, tagged(0x04, der))));
            case "EC PRIVATE KEY" -> {
                byte[] algorithm = sequence(EC_PUBLIC_KEY, curve(der));
                yield KeyFactory.getInstance("EC")
                        .generatePrivate(new PKCS8EncodedKeySpec(sequence(VERSION_0, algorithm, tagged(0x04, der))));
            }
            default -> pkcs8(der);
        };
    }

    private static PrivateKey pkcs8(byte[] der) throws GeneralSecurityException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
        for (String algorithm : new String[] {"EC", "RSA", "Ed25519"}) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // of another algorithm
            }
        }
        throw new GeneralSecurityException("a private key of an unknown algorithm");
    }

    /** The curve's object identifier, tag and all: in field [0] of a SEC 1 key. */
    private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
        try {
            ByteBuffer key = ByteBuffer.wrap(sec1);
            key.get();
            length(key);
            while (key.hasRemaining()) {
                int tag = key.get() & 0xFF;
                byte[] value = new byte[length(key)];
                key.get(value);
                if (tag == 0xA0) {
                    return value;
                }
            }
        } catch (java.nio.BufferUnderflowException e) {
            throw new GeneralSecurityException("broken elliptic-curve key", e);
        }
        throw new GeneralSecurityException("an elliptic-curve key that does not name its curve");
    }

    private static int length(ByteBuffer der) {
        int first = der.get() & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7F); i++) {
            length = length << 8 | (der.get() & 0xFF);
        }
        return Math.min(length, der.remaining());
    }

    private static byte[] sequence(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return tagged(0x30, all.toByteArray());
    }

    private static byte[] tagged(int tag, byte[] value) {
        byte[] header = value.length < 0x80
                ? new byte[] {(byte) tag, (byte) value.length}
                : new byte[] {(byte) tag, (byte) 0x82, (byte) (value.length >> 8), (byte) value.length};
        byte[] whole = Arrays.copyOf(header, header.length + value.length);
        System.arraycopy(value, 0, whole, header.length, value.length);
        return whole;
    }
}
