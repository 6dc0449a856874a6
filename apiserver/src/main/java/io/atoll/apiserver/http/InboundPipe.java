package io.atoll.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Bytes from a client to a blocking reader. The event loop puts and never blocks: when more than the bound waits, it is
 * told to read no further until the reader has caught up.
 */
final class InboundPipe extends InputStream {
    private final int queuedBytesMax;
    private final Runnable resume;
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private int offset;
    private int queuedBytes;
    private boolean paused;
    private boolean finished;

    /**
     * A pipe.
     *
     * @param resume called by the reader when it has caught up after {@link #put} said to stop
     */
    InboundPipe(int queuedBytesMax, Runnable resume) {
        this.queuedBytesMax = queuedBytesMax;
        this.resume = resume;
    }

    /** True when its bound has just been reached: the client should not be read until {@code resume} is called. */
    synchronized boolean put(byte[] bytes) {
        if (finished || bytes.length == 0) {
            return false;
        }
        queue.add(bytes);
        queuedBytes += bytes.length;
        notifyAll();
        boolean reached = !paused && queuedBytes >= queuedBytesMax;
        paused |= reached;
        return reached;
    }

    /** The client sends no more: the reader gets what is queued, then the end. */
    synchronized void finish() {
        finished = true;
        notifyAll();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        int taken;
        boolean caughtUp;
        synchronized (this) {
            byte[] first = awaitFirst();
            if (first == null) {
                return -1;
            }
            taken = Math.min(count, first.length - offset);
            System.arraycopy(first, offset, target, from, taken);
            offset += taken;
            queuedBytes -= taken;
            if (offset == first.length) {
                queue.poll();
                offset = 0;
            }
            caughtUp = paused && queuedBytes <= queuedBytesMax / 2;
            paused &= !caughtUp;
        }
        if (caughtUp) {
            resume.run();
        }
        return taken;
    }

    private byte @Nullable [] awaitFirst() throws IOException {
        try {
            while (queue.isEmpty()) {
                if (finished) {
                    return null;
                }
                wait();
            }
            return queue.peek();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for input", e);
        }
    }

    @Override
    public synchronized int available() {
        return queuedBytes;
    }

    /** The reader wants no more. */
    @Override
    public void close() {
        boolean wasPaused;
        synchronized (this) {
            finished = true;
            queue.clear();
            offset = 0;
            queuedBytes = 0;
            wasPaused = paused;
            paused = false;
            notifyAll();
        }
        if (wasPaused) {
            resume.run();
        }
    }
}
