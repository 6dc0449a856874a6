package io.atoll.node.runtime;

import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.LogOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a {@link ContainerLog} as {@code kubectl logs} asks for them. One use, one thread.
 *
 * <p>Goes from one file to the next by number, so that a rotation in between loses and repeats nothing.
 */
final class LogReader {
    private static final int READ_BYTES = 32 << 10;

    private final Path folder;
    private final @Nullable ContainerLog live;
    private final LogOptions options;
    private final ByteSink sink;
    private long skipLines;
    private long bytesLeft;
    private boolean inLine;

    /**
     * A reader.
     *
     * @param live the log while its container runs; without it the files are all there is
     */
    LogReader(Path folder, @Nullable ContainerLog live, LogOptions options, ByteSink sink) {
        this.folder = folder;
        this.live = live;
        this.options = options;
        this.sink = sink;
        this.bytesLeft = options.limitBytes() < 0 ? Long.MAX_VALUE : options.limitBytes();
    }

    /** The last lines of a finished log, at most so many bytes of them. */
    static String tail(Path folder, int lines, int bytesMax) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        LogOptions options = new LogOptions("", false, false, false, lines, -1, null);
        new LogReader(folder, null, options, new ByteSink() {
                    @Override
                    public void write(byte[] chunk) {
                        text.writeBytes(chunk);
                    }

                    @Override
                    public boolean closed() {
                        return false;
                    }

                    @Override
                    public void onClose(Runnable action) {}
                })
                .copy();
        byte[] bytes = text.toByteArray();
        int from = Math.max(0, bytes.length - bytesMax);
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }

    static Path file(Path folder, int number) {
        return folder.resolve(String.format(java.util.Locale.ROOT, "%06d.log", number));
    }

    /** The numbers of the files in a folder, in order. */
    static List<Integer> fileNumbers(Path folder) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = file.getFileName().toString();
                    if (name.matches("[0-9]{6,9}\\.log")) {
                        numbers.add(Integer.parseInt(name.substring(0, name.length() - 4)));
                    }
                }
            }
        }
        Collections.sort(numbers);
        return numbers;
    }

    /** Writes the log to the sink; returns at its end, at the byte limit, or when the reader has gone. */
    void copy() throws IOException {
        if (live != null) {
            sink.onClose(live::wakeReaders);
        }
        long seen = live == null ? 0 : live.changes();
        List<Integer> numbers = fileNumbers(folder);
        if (options.tailLines() >= 0) {
            skipLines = Math.max(0, countLines(numbers) - options.tailLines());
        }
        int number = numbers.isEmpty() ? 0 : numbers.getFirst() - 1;
        InputStream in = InputStream.nullInputStream();
        try {
            ByteArrayOutputStream pending = new ByteArrayOutputStream();
            byte[] buffer = new byte[READ_BYTES];
            while (!sink.closed()) {
                int count = in.read(buffer);
                if (count > 0) {
                    if (!deliver(buffer, count, pending)) {
                        return;
                    }
                    continue;
                }
                int next = nextFile(number);
                if (next > number) {
                    in.close();
                    in = open(next);
                    number = next;
                } else if (!options.follow() || live == null) {
                    return;
                } else if (live.changes() != seen) {
                    seen = live.changes();
                } else if (live.closed()) {
                    return;
                } else {
                    live.awaitChange(seen, sink::closed);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            in.close();
        }
    }

    /** A file that was rotated away just now reads as empty: the reader was too slow for it. */
    private InputStream open(int number) throws IOException {
        try {
            return Files.newInputStream(file(folder, number));
        } catch (NoSuchFileException _) {
            return InputStream.nullInputStream();
        }
    }

    private int nextFile(int number) throws IOException {
        for (int candidate : fileNumbers(folder)) {
            if (candidate > number) {
                return candidate;
            }
        }
        return number;
    }

    private long countLines(List<Integer> numbers) throws IOException {
        long lines = 0;
        byte[] buffer = new byte[READ_BYTES];
        for (int number : numbers) {
            try (InputStream in = Files.newInputStream(file(folder, number))) {
                for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                    for (int i = 0; i < count; i++) {
                        lines += buffer[i] == '\n' ? 1 : 0;
                    }
                }
            } catch (NoSuchFileException _) {
                // rotated away between the listing and the reading
            }
        }
        return lines;
    }

    /** Writes out the whole lines of a chunk; false once the byte limit is reached. */
    private boolean deliver(byte[] buffer, int count, ByteArrayOutputStream pending) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(count);
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (buffer[i] == '\n') {
                pending.write(buffer, from, i - from);
                render(pending.toByteArray(), out);
                pending.reset();
                from = i + 1;
            }
        }
        pending.write(buffer, from, count - from);
        byte[] text = out.toByteArray();
        if (text.length > bytesLeft) {
            text = Arrays.copyOf(text, (int) bytesLeft);
        }
        bytesLeft -= text.length;
        if (text.length > 0) {
            sink.write(text);
        }
        return bytesLeft > 0;
    }

    private void render(byte[] line, ByteArrayOutputStream out) throws IOException {
        if (skipLines > 0) {
            skipLines--;
            return;
        }
        int afterTime = indexOf(line, 0);
        int afterStream = indexOf(line, afterTime + 1);
        int afterTag = indexOf(line, afterStream + 1);
        if (afterTime < 0 || afterStream < 0 || afterTag < 0) {
            return; // torn by a crash in the middle of a write
        }
        String timestamp = new String(line, 0, afterTime, StandardCharsets.UTF_8);
        Instant since = options.since();
        if (since != null && !since(timestamp, since)) {
            return;
        }
        if (options.timestamps() && !inLine) {
            out.write((timestamp + ' ').getBytes(StandardCharsets.UTF_8));
        }
        out.write(line, afterTag + 1, line.length - afterTag - 1);
        inLine = line[afterTag - 1] == 'P';
        if (!inLine) {
            out.write('\n');
        }
    }

    private static boolean since(String timestamp, Instant since) {
        try {
            return !Instant.parse(timestamp).isBefore(since);
        } catch (DateTimeParseException _) {
            return false;
        }
    }

    private static int indexOf(byte[] line, int from) {
        for (int i = Math.max(0, from); i < line.length; i++) {
            if (line[i] == ' ') {
                return i;
            }
        }
        return -1;
    }
}
