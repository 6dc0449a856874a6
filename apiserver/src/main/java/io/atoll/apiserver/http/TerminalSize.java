package io.atoll.apiserver.http;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The size of a client's terminal: the last one known, and whoever wants to hear of the next. Any thread. */
final class TerminalSize {
    private int columns;
    private int rows;
    private @Nullable BiConsumer<Integer, Integer> listener;

    /** A message of the resize stream: {@code {"Width":80,"Height":24}}. What cannot be read is passed over. */
    void accept(byte[] message) {
        BiConsumer<Integer, Integer> informed;
        int width;
        int height;
        try {
            ObjectNode size = Json.parse(message);
            width = size.path("Width").asInt(0);
            height = size.path("Height").asInt(0);
        } catch (ApiException e) {
            return;
        }
        synchronized (this) {
            columns = width;
            rows = height;
            informed = listener;
        }
        if (informed != null && width > 0 && height > 0) {
            informed.accept(width, height);
        }
    }

    void onChange(BiConsumer<Integer, Integer> wanted) {
        int width;
        int height;
        synchronized (this) {
            listener = wanted;
            width = columns;
            height = rows;
        }
        if (width > 0 && height > 0) {
            wanted.accept(width, height);
        }
    }
}
