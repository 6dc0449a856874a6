package io.atoll.node;

import io.atoll.model.pod.ByteSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Keeps what is written; a test can wait for a text, and leave. */
public final class Collected implements ByteSink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Runnable> actions = new ArrayList<>();
    private boolean closed;

    @Override
    public synchronized void write(byte[] chunk) {
        bytes.writeBytes(chunk);
        notifyAll();
    }

    @Override
    public synchronized boolean closed() {
        return closed;
    }

    @Override
    public synchronized void onClose(Runnable action) {
        actions.add(action);
    }

    public synchronized String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    public synchronized void await(String text) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!text().contains(text)) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError("no '" + text + "' in: " + text());
            }
            wait(left);
        }
    }

    public void leave() {
        List<Runnable> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(actions);
        }
        left.forEach(Runnable::run);
    }
}
