package io.atoll.apiserver.pki;

import io.atoll.apiserver.http.TlsMaterial;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * A cluster's keys, in one file of a directory of their own: made once, there whole or not at all. Immutable.
 *
 * <p>One file, because making a cluster waits until its keys are durable, and each further file is a further flush.
 *
 * @param authority signs and is trusted for everything in this cluster, and nowhere else
 * @param serving what the API server shows
 * @param serviceAccount signs service-account tokens
 */
public record ClusterKeys(CertificateAuthority authority, KeyedCertificate serving, KeyPair serviceAccount) {
    private static final FileAttribute<?> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> OWNER_ONLY_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final String FILE = "keys.pem";
    private static final String AUTHORITY = "# certificate authority\n";
    private static final String SERVING = "# serving certificate\n";
    private static final String SERVICE_ACCOUNT = "# service-account token signing\n";

    /** The keys in a directory, made first if there are none. */
    public static ClusterKeys open(Path directory, String clusterName, SubjectNames names, InstantSource clock)
            throws IOException {
        if (Files.exists(directory.resolve(FILE))) {
            return load(directory, clock);
        }
        ClusterKeys keys = generate(clusterName, names, clock);
        keys.save(directory);
        return keys;
    }

    /** New keys, kept nowhere. */
    public static ClusterKeys generate(String clusterName, SubjectNames names, InstantSource clock) {
        CertificateAuthority authority = CertificateAuthority.create(clusterName + "-ca", clock);
        KeyedCertificate serving =
                authority.issueServer("kube-apiserver", names, CertificateAuthority.CERTIFICATE_LIFE);
        return new ClusterKeys(authority, serving, CertificateAuthority.newKeyPair());
    }

    /** The keys in a directory that {@link #save} has written. */
    public static ClusterKeys load(Path directory, InstantSource clock) throws IOException {
        Path file = directory.resolve(FILE);
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        try {
            String authorityPem = section(text, AUTHORITY);
            String servingPem = section(text, SERVING);
            String serviceAccountPem = section(text, SERVICE_ACCOUNT);
            return new ClusterKeys(
                    CertificateAuthority.load(authorityPem, authorityPem, clock),
                    new KeyedCertificate(Pem.certificate(servingPem), Pem.privateKey(servingPem)),
                    new KeyPair(Pem.publicKey(serviceAccountPem), Pem.privateKey(serviceAccountPem)));
        } catch (GeneralSecurityException e) {
            throw new IOException("broken keys in " + file + ": " + e.getMessage(), e);
        }
    }

    private static String section(String text, String title) throws GeneralSecurityException {
        int start = text.indexOf(title);
        if (start < 0) {
            throw new GeneralSecurityException("no section \"" + title.strip() + "\"");
        }
        int end = text.indexOf("\n# ", start + title.length());
        return text.substring(start, end < 0 ? text.length() : end + 1);
    }

    /** Writes the keys over those that may be there; returns once they are durable. */
    public void save(Path directory) throws IOException {
        Files.createDirectories(directory, OWNER_ONLY_DIRECTORY);
        Path making = directory.resolve(FILE + ".making");
        Files.deleteIfExists(making);
        String text = AUTHORITY
                + authority.certificatePem()
                + authority.keyPem()
                + SERVING
                + serving.certificatePem()
                + serving.keyPem()
                + SERVICE_ACCOUNT
                + Pem.encode(serviceAccount.getPublic())
                + Pem.encode(serviceAccount.getPrivate());
        write(making, text);
        Files.move(making, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
    }

    /** Another serving certificate of the same authority, for other names or a longer life; written over the old one. */
    public ClusterKeys withServing(Path directory, SubjectNames names) throws IOException {
        KeyedCertificate next = authority.issueServer("kube-apiserver", names, CertificateAuthority.CERTIFICATE_LIFE);
        ClusterKeys changed = new ClusterKeys(authority, next, serviceAccount);
        changed.save(directory);
        return changed;
    }

    /** What a listener needs to serve this cluster. */
    public TlsMaterial tls() {
        return new TlsMaterial(List.of(serving.certificate()), serving.key());
    }

    /** A kubeconfig for a cluster admin, with a client certificate made for it. */
    public String adminKubeconfig(String context, String server) {
        return kubeconfig(context, server, "kubernetes-admin", List.of("system:masters"));
    }

    /** A kubeconfig for any user. */
    public String kubeconfig(String context, String server, String user, List<String> groups) {
        KeyedCertificate client = authority.issueClient(user, groups, CertificateAuthority.CERTIFICATE_LIFE);
        return KubeconfigText.of(context, server, authority.certificatePem(), client);
    }

    private static void write(Path path, String text) throws IOException {
        try (FileChannel file = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY_FILE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel file = FileChannel.open(directory, StandardOpenOption.READ)) {
            file.force(true);
        }
    }
}
