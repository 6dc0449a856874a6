package io.atoll.client.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads PEM files that a kubeconfig names. */
final class CredentialFile {
    private CredentialFile() {}

    static String read(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ", which the kubeconfig names", e);
        }
    }
}
