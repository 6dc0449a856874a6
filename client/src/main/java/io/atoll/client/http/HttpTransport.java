package io.atoll.client.http;

import io.atoll.client.Transport;
import io.atoll.model.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * Requests over HTTPS with the JDK's client: HTTP/2 where the server speaks it, and at most as many at a time as any
 * server takes on one connection; the next ones wait. Each open watch has a connection and a virtual thread of its own.
 * Any thread.
 *
 * <p>A server that cannot be reached is an {@link UncheckedIOException} that names it and says why in one line.
 */
public final class HttpTransport implements Transport {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Longer than a server's own deadline, so that its answer is what is seen. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(70);

    /** Servers take 100 streams on a connection, and the JDK's client fails the next one. */
    static final int REQUESTS_IN_FLIGHT_MAX = 64;

    /** What the JDK's client does not let callers set. */
    private static final Set<String> RESTRICTED = restricted();

    private final String server;
    private final String token;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(REQUESTS_IN_FLIGHT_MAX, true);
    private final HttpClient client;
    private final HttpClient watchClient;
    private final Set<WatchStream> watches = ConcurrentHashMap.newKeySet();

    public HttpTransport(Credentials credentials) {
        String given = credentials.server();
        this.server = given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
        this.token = credentials.token();
        HttpClient.Builder builder = HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (server.startsWith("https://")) {
            builder.sslContext(ClientTls.context(credentials));
            builder.sslParameters(parameters(credentials));
        }
        this.client = builder.build();
        this.watchClient = builder.version(HttpClient.Version.HTTP_1_1).build();
    }

    private static SSLParameters parameters(Credentials credentials) {
        SSLParameters parameters = new SSLParameters();
        if (!credentials.tlsServerName().isEmpty()) {
            parameters.setServerNames(List.of(new SNIHostName(credentials.tlsServerName())));
        }
        return parameters;
    }

    private static Set<String> restricted() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(Set.of("connection", "content-length", "expect", "host", "upgrade", "authorization"));
        return names;
    }

    @Override
    public Response send(Request request) {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try {
            HttpResponse<byte[]> response = exchange(client, request, HttpResponse.BodyHandlers.ofByteArray());
            return new Response(response.statusCode(), contentType(response), response.body());
        } finally {
            places.release();
        }
    }

    @Override
    public Stream watch(Request request, WatchSink sink) {
        HttpResponse<InputStream> response = exchange(watchClient, request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw refusal(response);
        }
        WatchStream stream = new WatchStream(response.body(), sink, watches::remove);
        watches.add(stream);
        threads.execute(stream);
        return stream;
    }

    private ApiException refusal(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            new Response(response.statusCode(), contentType(response), body.readAllBytes()).orThrow();
        } catch (IOException e) {
            throw new UncheckedIOException("reading from " + server + " failed: " + e.getMessage(), e);
        }
        throw new UncheckedIOException(
                new IOException(server + " answered a watch with status " + response.statusCode()));
    }

    private static String contentType(HttpResponse<?> response) {
        return response.headers().firstValue("content-type").orElse("");
    }

    private <T> HttpResponse<T> exchange(HttpClient through, Request request, HttpResponse.BodyHandler<T> handler) {
        HttpRequest.BodyPublisher body = request.body().length == 0
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(request.body());
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server + request.path()))
                .method(request.method(), body)
                .timeout(ANSWER_TIMEOUT);
        for (Map.Entry<String, String> header : request.headers().entrySet()) {
            if (!RESTRICTED.contains(header.getKey())) {
                builder.header(header.getKey(), header.getValue());
            }
        }
        if (!token.isEmpty()) {
            builder.header("Authorization", "Bearer " + token);
        }
        try {
            return through.send(builder.build(), handler);
        } catch (IOException e) {
            throw new UncheckedIOException(why(e), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private UncheckedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new UncheckedIOException(new IOException("interrupted while waiting for " + server, cause));
    }

    private String why(IOException failure) {
        return switch (failure) {
            case HttpConnectTimeoutException _ ->
                "cannot reach " + server + ": no connection within " + CONNECT_TIMEOUT.toSeconds() + " s";
            case HttpTimeoutException _ -> server + " did not answer within " + ANSWER_TIMEOUT.toSeconds() + " s";
            case ConnectException _ -> "cannot reach " + server + ": connection refused";
            case SSLException _ -> "cannot talk to " + server + " securely: " + failure.getMessage();
            default -> "request to " + server + " failed: " + reason(failure);
        };
    }

    private static String reason(IOException failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    @Override
    public void close() {
        watches.forEach(WatchStream::close);
        client.shutdownNow();
        watchClient.shutdownNow();
        threads.shutdown();
    }
}
