package io.atoll.store.sqlite;

import io.atoll.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes files and their names outlive a power cut. */
final class Durable {
    private Durable() {}

    static void sync(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw new StoreUnavailableException("cannot sync " + file + ": " + e.getMessage(), e);
        }
    }

    /** After a file was made, moved or removed. */
    static void syncFolderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            sync(folder);
        }
    }
}
