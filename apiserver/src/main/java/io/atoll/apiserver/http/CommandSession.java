package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse.Session;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.StatusObject;
import io.atoll.model.pod.ExecStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs a remote command (exec, attach) over a wire, on the request's own thread.
 *
 * <p>The upgrade is answered when the command first asks for a stream: until then its failure is a plain HTTP answer.
 */
final class CommandSession implements ExecStreams {
    private static final Logger LOG = LoggerFactory.getLogger(CommandSession.class);

    private final Exchange exchange;
    private final CommandWire wire;
    private boolean opened;

    CommandSession(Exchange exchange, CommandWire wire) {
        this.exchange = exchange;
        this.wire = wire;
    }

    void run(Session.Command command) {
        try {
            ObjectNode status = execute(command);
            if (status != null) {
                open();
                wire.finish(Json.encode(status));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("session of {} cut", exchange.head().uri(), e);
            exchange.channel().close();
        }
    }

    /** The final status; null when the failure has been answered instead of an upgrade. */
    private @org.jspecify.annotations.Nullable ObjectNode execute(Session.Command command) {
        try {
            return exited(command.body().run(this));
        } catch (ApiException e) {
            if (!opened) {
                exchange.answer(Failure.of(e));
                return null;
            }
            return StatusObject.of(e);
        } catch (IOException e) {
            return failed(e);
        } catch (RuntimeException e) {
            if (!exchange.closed()) {
                LOG.error("{} failed", exchange.head().uri(), e);
            }
            return failed(e);
        }
    }

    private static ObjectNode exited(int code) {
        ObjectNode status = Json.object();
        status.putObject("metadata");
        if (code == 0) {
            return status.put("status", "Success");
        }
        status.put("status", "Failure")
                .put("message", "command terminated with non-zero exit code: exit status " + code)
                .put("reason", "NonZeroExitCode");
        status.putObject("details")
                .putArray("causes")
                .addObject()
                .put("reason", "ExitCode")
                .put("message", String.valueOf(code));
        return status;
    }

    private static ObjectNode failed(Exception cause) {
        String why = "error executing command in container: " + cause.getMessage();
        ObjectNode status = Json.object();
        status.putObject("metadata");
        status.put("status", "Failure")
                .put("message", "Internal error occurred: " + why)
                .put("reason", "InternalError");
        status.putObject("details").putArray("causes").addObject().put("message", why);
        return status.put("code", 500);
    }

    private void open() {
        if (!opened) {
            opened = true;
            try {
                wire.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public InputStream stdin() {
        open();
        return wire.stdin();
    }

    @Override
    public OutputStream stdout() {
        open();
        return wire.stdout();
    }

    @Override
    public OutputStream stderr() {
        open();
        return wire.stderr();
    }

    @Override
    public void onResize(BiConsumer<Integer, Integer> listener) {
        open();
        wire.onResize(listener);
    }

    @Override
    public void onClose(Runnable action) {
        exchange.onClose(action);
    }
}
