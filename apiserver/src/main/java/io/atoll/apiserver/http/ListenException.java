package io.atoll.apiserver.http;

import java.net.BindException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A port could not be opened. The message names it and says why. */
public final class ListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int port;

    ListenException(InetAddress address, int port, @Nullable Throwable cause) {
        super(message(address, port, cause), cause);
        this.port = port;
    }

    public int port() {
        return port;
    }

    private static String message(InetAddress address, int port, @Nullable Throwable cause) {
        String where = address.getHostAddress() + ":" + port;
        String why = cause == null ? "unknown" : String.valueOf(cause.getMessage());
        if (cause instanceof BindException && why.contains("in use")) {
            return "port " + port + " is already in use on " + address.getHostAddress() + "; choose another";
        }
        return "cannot listen on " + where + ": " + why;
    }
}
