package io.atoll.apiserver.http;

import java.time.Duration;

/**
 * Every bound of a {@link Listener}, and what happens at it. Immutable.
 *
 * @param requestBodyBytesMax a larger body is answered 413
 * @param clusterBodyBytesMax bodies being held for one cluster together; beyond: 429
 * @param bodyBytesMax the same for all clusters together
 * @param requestLineBytesMax a longer request line is answered 414
 * @param requestHeaderBytesMax larger headers are answered 431
 * @param requestsInFlightMax requests of all clusters together, without watches and sessions; beyond: 429
 * @param clusterRequestsInFlightMax the same for one cluster
 * @param clusterLongRunningMax open watches, streams and sessions of one cluster; beyond: 429
 * @param clusterConnectionsMax open connections of one cluster; beyond: closed after the handshake
 * @param connectionsMax open connections of the listener; beyond: closed at once
 * @param http2StreamsMax concurrent streams of one HTTP/2 connection; beyond: the stream is refused
 * @param watchQueuedBytesMax events that a slow reader of a watch may leave unread; beyond: its watch is closed
 * @param sessionQueuedBytesMax bytes towards a remote command that it has not read; beyond: the connection is not read
 * @param sessionMessageBytesMax a larger WebSocket message closes its session
 * @param requestTimeout deadline of a request that names none, and the longest that it may name; beyond: 504
 * @param watchTimeoutMin the shortest life of a watch that names none; the longest is twice as long
 * @param handshakeTimeout a slower TLS handshake is cut
 * @param headTimeout a connection whose first request head takes longer is cut
 * @param idleTimeout a connection without a request for so long is closed
 * @param stallTimeout a reader that takes no byte of an answer for so long is cut
 * @param streamStallTimeout the same for logs and sessions, whose reader may be a pager that somebody has left open
 * @param shutdownGrace how long requests in flight may take once their cluster is removed
 */
public record ListenerLimits(
        int requestBodyBytesMax,
        long clusterBodyBytesMax,
        long bodyBytesMax,
        int requestLineBytesMax,
        int requestHeaderBytesMax,
        int requestsInFlightMax,
        int clusterRequestsInFlightMax,
        int clusterLongRunningMax,
        int clusterConnectionsMax,
        int connectionsMax,
        int http2StreamsMax,
        int watchQueuedBytesMax,
        int sessionQueuedBytesMax,
        int sessionMessageBytesMax,
        Duration requestTimeout,
        Duration watchTimeoutMin,
        Duration handshakeTimeout,
        Duration headTimeout,
        Duration idleTimeout,
        Duration stallTimeout,
        Duration streamStallTimeout,
        Duration shutdownGrace) {
    /** Kubernetes' figures where it has one. */
    public static final ListenerLimits DEFAULT = new ListenerLimits(
            3 * 1024 * 1024,
            64L * 1024 * 1024,
            256L * 1024 * 1024,
            64 * 1024,
            128 * 1024,
            4_000,
            600,
            20_000,
            10_000,
            100_000,
            250,
            4 * 1024 * 1024,
            256 * 1024,
            1024 * 1024,
            Duration.ofSeconds(60),
            Duration.ofMinutes(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(32),
            Duration.ofSeconds(90),
            Duration.ofSeconds(30),
            Duration.ofHours(4),
            Duration.ofSeconds(10));
}
