package io.atoll.app;

import io.atoll.cli.CommandFailure;
import io.atoll.cli.HostDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/** Keeps a host directory to one process, and tells others which. Held until closed; the system frees it on a crash. */
final class HostLock implements AutoCloseable {
    private final HostDirectory directory;
    private final FileChannel channel;

    private HostLock(HostDirectory directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    static HostLock take(HostDirectory directory) {
        try {
            Files.createDirectories(directory.path());
            FileChannel channel =
                    FileChannel.open(directory.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                throw new CommandFailure("another process serves " + directory.path()
                        + "; stop it with 'atoll down' or use another --dir");
            }
            ProcessHandle self = ProcessHandle.current();
            Instant start = self.info().startInstant().orElse(Instant.EPOCH);
            Files.writeString(directory.process(), self.pid() + " " + start + "\n");
            return new HostLock(directory, channel);
        } catch (IOException e) {
            throw new CommandFailure("cannot write to " + directory.path() + ": " + e.getMessage()
                    + "; is the disk full, or the folder not yours?");
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(directory.process());
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
