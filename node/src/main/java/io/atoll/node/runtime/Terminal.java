package io.atoll.node.runtime;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A pseudo-terminal, seen from its master side. One reader and one writer at a time; resize from any thread.
 *
 * <p>A read blocks its thread outside the reach of virtual threads, so it wants a platform thread.
 */
final class Terminal implements AutoCloseable {
    private static final int READ_BYTES_MAX = 16 << 10;

    private final int master;
    private boolean closed;

    private Terminal(int master) {
        this.master = master;
    }

    static Terminal open() throws IOException {
        return new Terminal(Libc.openTerminal());
    }

    /** The device that the process opens as its terminal. */
    String device() throws IOException {
        return Libc.terminalName(master);
    }

    synchronized void resize(int columns, int rows) {
        if (!closed) {
            Libc.resizeTerminal(master, columns, rows);
        }
    }

    /** Hands over what the process writes until no process holds the terminal any more. */
    void readAll(Chunks chunks) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(READ_BYTES_MAX);
            for (int count = Libc.read(master, buffer); count > 0; count = Libc.read(master, buffer)) {
                chunks.accept(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    void write(byte[] bytes) throws IOException {
        synchronized (this) {
            if (closed) {
                throw new IOException("the terminal is closed");
            }
        }
        Libc.write(master, bytes);
    }

    /** Only after the reader has ended: a closed descriptor's number may be given to another file. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Libc.close(master);
        }
    }

    /** Receives what was read. */
    interface Chunks {
        void accept(byte[] chunk) throws IOException;
    }
}
