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
import java.util.stream.Stream;

/**
 * A cluster's keys, in a directory of their own: made once, there whole or not at all. Immutable.
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

    private static final String AUTHORITY_CERTIFICATE = "ca.crt";
    private static final String AUTHORITY_KEY = "ca.key";
    /** Certificate and key in one file, so that both are replaced at a stroke. */
    private static final String SERVING = "apiserver.pem";

    private static final String SERVICE_ACCOUNT_KEY = "sa.key";
    private static final String SERVICE_ACCOUNT_PUBLIC_KEY = "sa.pub";

    /** The keys in a directory, made first if it is not there. */
    public static ClusterKeys open(Path directory, String clusterName, SubjectNames names, InstantSource clock)
            throws IOException {
        if (Files.isDirectory(directory)) {
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
        try {
            CertificateAuthority authority = CertificateAuthority.load(
                    read(directory, AUTHORITY_CERTIFICATE), read(directory, AUTHORITY_KEY), clock);
            String servingPem = read(directory, SERVING);
            KeyedCertificate serving = new KeyedCertificate(Pem.certificate(servingPem), Pem.privateKey(servingPem));
            KeyPair serviceAccount = new KeyPair(
                    Pem.publicKey(read(directory, SERVICE_ACCOUNT_PUBLIC_KEY)),
                    Pem.privateKey(read(directory, SERVICE_ACCOUNT_KEY)));
            return new ClusterKeys(authority, serving, serviceAccount);
        } catch (GeneralSecurityException e) {
            throw new IOException("broken keys in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static String read(Path directory, String name) throws IOException {
        return Files.readString(directory.resolve(name), StandardCharsets.US_ASCII);
    }

    /** Writes all keys and makes them durable, then makes the directory appear at a stroke. */
    public void save(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent, OWNER_ONLY_DIRECTORY);
        }
        Path making = directory.resolveSibling(directory.getFileName() + ".making");
        deleteTree(making);
        Files.createDirectory(making, OWNER_ONLY_DIRECTORY);
        write(making, AUTHORITY_CERTIFICATE, authority.certificatePem());
        write(making, AUTHORITY_KEY, authority.keyPem());
        write(making, SERVING, serving.certificatePem() + serving.keyPem());
        write(making, SERVICE_ACCOUNT_KEY, Pem.encode(serviceAccount.getPrivate()));
        write(making, SERVICE_ACCOUNT_PUBLIC_KEY, Pem.encode(serviceAccount.getPublic()));
        sync(making);
        Files.move(making, directory, StandardCopyOption.ATOMIC_MOVE);
        if (parent != null) {
            sync(parent);
        }
    }

    /** Another serving certificate of the same authority, for other names or a longer life; written over the old one. */
    public ClusterKeys withServing(Path directory, SubjectNames names) throws IOException {
        KeyedCertificate next = authority.issueServer("kube-apiserver", names, CertificateAuthority.CERTIFICATE_LIFE);
        Path fresh = directory.resolve(SERVING + ".next");
        Files.deleteIfExists(fresh);
        write(directory, fresh.getFileName().toString(), next.certificatePem() + next.keyPem());
        Files.move(fresh, directory.resolve(SERVING), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        return new ClusterKeys(authority, next, serviceAccount);
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

    private static void write(Path directory, String name, String text) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve(name),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OWNER_ONLY_FILE)) {
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

    private static void deleteTree(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
