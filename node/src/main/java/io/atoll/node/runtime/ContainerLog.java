package io.atoll.node.runtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Writes what a container prints as numbered files of lines in the CRI format
 * ({@code 2026-12-01T15:04:05.000000000Z stdout F text}), bounded in size and number. Any thread.
 *
 * <p>Files are only ever appended to and, when there are too many, the oldest is deleted: a reader that holds one open
 * can always read it to its end. {@link #awaitChange} is how a reader waits for more.
 */
public final class ContainerLog implements AutoCloseable {
    /** A longer line is written in parts, as container runtimes do. */
    private static final int LINE_BYTES_MAX = 16 << 10;

    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
            .appendLiteral('.')
            .appendFraction(java.time.temporal.ChronoField.NANO_OF_SECOND, 9, 9, false)
            .appendLiteral('Z')
            .toFormatter(java.util.Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Path folder;
    private final long fileBytesMax;
    private final int filesMax;
    private final InstantSource clock;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final PendingLine stdout = new PendingLine("stdout");
    private final PendingLine stderr = new PendingLine("stderr");

    private FileChannel channel;
    private int number;
    private long fileBytes;
    private long changes;
    private boolean closed;

    /** Receives raw bytes as they come, for attach. */
    interface Listener {
        void onBytes(boolean stderr, byte[] bytes);

        void onEnd();
    }

    /** Bytes of a line that has not ended yet. */
    private static final class PendingLine {
        private final String stream;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        PendingLine(String stream) {
            this.stream = stream;
        }
    }

    /** Opens the log in a folder of its own, going on after what is there. */
    ContainerLog(Path folder, long fileBytesMax, int filesMax, InstantSource clock) throws IOException {
        this.folder = folder;
        this.fileBytesMax = fileBytesMax;
        this.filesMax = filesMax;
        this.clock = clock;
        Files.createDirectories(folder);
        List<Integer> numbers = LogReader.fileNumbers(folder);
        number = numbers.isEmpty() ? 1 : numbers.getLast();
        channel = openFile();
        if (fileBytes > 0 && !endsWithNewline()) {
            write("\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    Path folder() {
        return folder;
    }

    /** Adds bytes of one of the streams; lines are stamped with the time of their last byte. */
    void append(boolean fromStderr, byte[] bytes) throws IOException {
        for (Listener listener : listeners) {
            listener.onBytes(fromStderr, bytes);
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            PendingLine pending = fromStderr ? stderr : stdout;
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 128);
            String now = TIMESTAMP.format(clock.instant());
            int from = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    pending.bytes.write(bytes, from, i - from);
                    flush(pending, now, 'F', out);
                    from = i + 1;
                } else if (pending.bytes.size() + i + 1 - from >= LINE_BYTES_MAX) {
                    pending.bytes.write(bytes, from, i + 1 - from);
                    flush(pending, now, 'P', out);
                    from = i + 1;
                }
            }
            pending.bytes.write(bytes, from, bytes.length - from);
            if (out.size() > 0) {
                write(out.toByteArray());
                changes++;
                notifyAll();
            }
        }
    }

    /** Writes what is left of unfinished lines; readers then find the end. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            String now = TIMESTAMP.format(clock.instant());
            for (PendingLine pending : List.of(stdout, stderr)) {
                if (pending.bytes.size() > 0) {
                    flush(pending, now, 'F', out);
                }
            }
            if (out.size() > 0) {
                write(out.toByteArray());
            }
            closed = true;
            changes++;
            notifyAll();
            channel.close();
        }
        listeners.forEach(Listener::onEnd);
    }

    synchronized boolean closed() {
        return closed;
    }

    /** Counts appends; read it before reading the files, then wait for it to move on. */
    synchronized long changes() {
        return changes;
    }

    /** Blocks until there is more to read than at that count, the log is closed, or the reader is told to leave. */
    synchronized void awaitChange(long seen, Departure departure) throws InterruptedException {
        while (changes == seen && !closed && !departure.left()) {
            wait();
        }
    }

    /** Lets every waiting reader look again whether it should leave. */
    synchronized void wakeReaders() {
        notifyAll();
    }

    /** Whether a waiting reader should stop to wait. */
    interface Departure {
        boolean left();
    }

    /** Hears bytes from now on; hears the end at once when the log is closed. */
    void listen(Listener listener) {
        listeners.add(listener);
        if (closed()) {
            listener.onEnd();
        }
    }

    void unlisten(Listener listener) {
        listeners.remove(listener);
    }

    private static void flush(PendingLine pending, String timestamp, char tag, OutputStream out) throws IOException {
        out.write((timestamp + ' ' + pending.stream + ' ' + tag + ' ').getBytes(StandardCharsets.UTF_8));
        pending.bytes.writeTo(out);
        out.write('\n');
        pending.bytes.reset();
    }

    /** Writes whole lines, beginning a new file where the present one would grow beyond its bound. */
    private void write(byte[] lines) throws IOException {
        int from = 0;
        while (from < lines.length) {
            int to = lastLineWithin(lines, from, fileBytesMax - fileBytes);
            if (to == from && fileBytes > 0) {
                beginFile();
                continue;
            }
            if (to == from) {
                to = lastLineWithin(lines, from, Long.MAX_VALUE); // a single line beyond the bound
            }
            ByteBuffer buffer = ByteBuffer.wrap(lines, from, to - from);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            fileBytes += to - from;
            from = to;
        }
    }

    /** The end of the last line that ends within that many bytes; the start when there is none. */
    private static int lastLineWithin(byte[] lines, int from, long bytes) {
        int end = from;
        for (int i = from; i < lines.length && i - from < bytes; i++) {
            if (lines[i] == '\n') {
                end = i + 1;
            }
        }
        return end;
    }

    private void beginFile() throws IOException {
        channel.close();
        number++;
        channel = openFile();
        for (int old : LogReader.fileNumbers(folder)) {
            if (old <= number - filesMax) {
                Files.deleteIfExists(LogReader.file(folder, old));
            }
        }
    }

    private FileChannel openFile() throws IOException {
        FileChannel opened =
                FileChannel.open(LogReader.file(folder, number), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        fileBytes = opened.size();
        return opened;
    }

    private boolean endsWithNewline() throws IOException {
        byte[] bytes = Files.readAllBytes(LogReader.file(folder, number));
        return Arrays.equals(bytes, bytes.length - 1, bytes.length, new byte[] {'\n'}, 0, 1);
    }
}
