package io.atoll.node.runtime;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams into the runs of a {@link ProcessRuntime}. Every method blocks until its stream ends. Any thread. */
public final class ProcessStreams {
    private static final int CONNECT_MILLIS_MAX = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(ProcessStreams.class);

    private final ContainerExec exec;

    public ProcessStreams(ProcessRuntime runtime) {
        this.exec = runtime.exec();
    }

    /** Copies the log of one run. */
    public void logs(Attempt attempt, LogOptions options, ByteSink sink) throws IOException {
        ProcessAttempt process = (ProcessAttempt) attempt;
        new LogReader(process.logFolder(), process.log(), options, sink).copy();
    }

    public int exec(Attempt attempt, ExecOptions options, ExecStreams streams) throws IOException {
        List<String> command = options.command();
        if (command.isEmpty()) {
            throw ApiException.badRequest("you must specify at least one command for the container");
        }
        return exec.run((ProcessAttempt) attempt, command, options.stdin(), options.tty(), streams);
    }

    /**
     * Joins the container's own output, and its input where it has one, until it ends or the caller goes. Returns 0
     * however the container ends: as from a kubelet, only the pod's status tells.
     */
    public int attach(Attempt attempt, ExecOptions options, ExecStreams streams) throws IOException {
        ProcessAttempt process = (ProcessAttempt) attempt;
        ContainerLog log = process.log();
        if (log == null || attempt.exit().isPresent()) {
            throw new ApiException(StatusReason.BadRequest, "container " + process.container() + " is not running");
        }
        CountDownLatch over = new CountDownLatch(1);
        ContainerLog.Listener listener = new ContainerLog.Listener() {
            @Override
            public void onBytes(boolean stderr, byte[] bytes) {
                try {
                    boolean toStderr = stderr && !options.tty();
                    OutputStream to = toStderr ? streams.stderr() : streams.stdout();
                    boolean wanted = toStderr ? options.stderr() : options.stdout();
                    if (wanted) {
                        to.write(bytes);
                        to.flush();
                    }
                } catch (IOException e) {
                    LOG.debug("an attached caller has gone: {}", e.getMessage());
                    over.countDown();
                }
            }

            @Override
            public void onEnd() {
                over.countDown();
            }
        };
        streams.onClose(over::countDown);
        if (process.onTerminal()) {
            streams.onResize(process::resize);
        }
        log.listen(listener);
        Optional<OutputStream> input = process.input();
        if (options.stdin() && input.isPresent()) {
            Thread.startVirtualThread(() -> {
                pump(streams.stdin(), input.get());
                if (!process.onTerminal()) {
                    process.closeInput();
                }
            });
        }
        try {
            over.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            log.unlisten(listener);
        }
        return 0;
    }

    /** Pumps between the caller and a port of this machine: the pod's own address first, else the loopback. */
    public void portForward(String podIp, int port, ExecStreams streams) throws IOException {
        try (Socket socket = connect(podIp, port)) {
            streams.onClose(() -> close(socket));
            Thread out = Thread.startVirtualThread(() -> {
                pump(streams.stdin(), output(socket));
                try {
                    socket.shutdownOutput();
                } catch (IOException e) {
                    LOG.debug("a forwarded port is closed: {}", e.getMessage());
                }
            });
            pump(socket.getInputStream(), streams.stdout());
            out.interrupt();
        } catch (IOException e) {
            String message = "failed to connect to localhost:" + port + ": " + e.getMessage();
            streams.stderr().write(message.getBytes(StandardCharsets.UTF_8));
            streams.stderr().flush();
        }
    }

    private static Socket connect(String podIp, int port) throws IOException {
        for (String host : podIp.isEmpty() ? List.<String>of() : List.of(podIp)) {
            try {
                return open(host, port);
            } catch (IOException _) {
                // most servers listen on every address or on the loopback alone
            }
        }
        return open("127.0.0.1", port);
    }

    private static Socket open(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS_MAX);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static OutputStream output(Socket socket) {
        try {
            return socket.getOutputStream();
        } catch (IOException _) {
            return OutputStream.nullOutputStream();
        }
    }

    private static void pump(InputStream from, OutputStream to) {
        byte[] buffer = new byte[16 << 10];
        try {
            for (int count = from.read(buffer); count > 0; count = from.read(buffer)) {
                to.write(Arrays.copyOf(buffer, count));
                to.flush();
            }
        } catch (IOException e) {
            LOG.debug("a stream ends: {}", e.getMessage());
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a forwarded port: {}", e.getMessage());
        }
    }
}
