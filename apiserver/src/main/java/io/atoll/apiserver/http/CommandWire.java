package io.atoll.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BiConsumer;

/** Carries one remote command's streams in some protocol. Used by the command's own thread. */
interface CommandWire {
    /** Answers the upgrade, and returns when all streams are there. Once, before anything else. */
    void open() throws IOException;

    InputStream stdin();

    OutputStream stdout();

    OutputStream stderr();

    void onResize(BiConsumer<Integer, Integer> listener);

    /** Sends the command's final {@code Status} and closes in good order. */
    void finish(byte[] status) throws IOException;
}
