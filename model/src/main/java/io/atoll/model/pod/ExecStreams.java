package io.atoll.model.pod;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BiConsumer;

/** The caller's ends of a remote command. Each stream has one user at a time. */
public interface ExecStreams {
    /** What the caller types; ends when the caller closes its side. */
    InputStream stdin();

    OutputStream stdout();

    /** Not used with a terminal: then everything goes to {@link #stdout()}. */
    OutputStream stderr();

    /** Calls the listener with columns and rows, first with the latest size known, then at each change. */
    void onResize(BiConsumer<Integer, Integer> listener);

    /** Runs once when the caller goes. */
    void onClose(Runnable action);
}
