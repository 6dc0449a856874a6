package io.atoll.model.pod;

import java.io.IOException;

/** Where a blocking producer writes a stream of bytes. One writer at a time. */
public interface ByteSink {
    /** Blocks while the reader is behind. Throws when the reader has gone. */
    void write(byte[] chunk) throws IOException;

    /** True once the reader has gone; a follower of a quiet log checks it. */
    boolean closed();

    /** Runs once when the reader goes; at once if it has gone. */
    void onClose(Runnable action);
}
