package io.atoll.apiserver.http;

import io.atoll.apiserver.Cluster;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as the listener holds it: its TLS context, made at the first handshake so that an idle cluster costs
 * little, its open connections, and the counters that its share of the listener is measured by. Any thread.
 */
final class ServedCluster {
    private final Cluster cluster;
    private final SslProvider provider;
    private final ListenerLimits limits;
    private final Set<String> hostNames;
    private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
    private final Set<LongRunning> longRunning = ConcurrentHashMap.newKeySet();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger longRunningCount = new AtomicInteger();
    private final AtomicLong bodyBytes = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private TlsMaterial material;
    private @Nullable SslContext context;
    private volatile boolean removed;

    /** A watch, a stream or a session, ended when the cluster is removed. */
    interface LongRunning {
        void end();
    }

    ServedCluster(
            Cluster cluster, TlsMaterial material, Set<String> hostNames, SslProvider provider, ListenerLimits limits) {
        this.cluster = cluster;
        this.material = material;
        this.hostNames = hostNames;
        this.provider = provider;
        this.limits = limits;
    }

    Cluster cluster() {
        return cluster;
    }

    Set<String> hostNames() {
        return hostNames;
    }

    synchronized SslContext context() throws SSLException {
        if (context == null) {
            context = ServerTls.context(material, provider);
        }
        return context;
    }

    /** From the next handshake on. */
    synchronized void rotate(TlsMaterial next) {
        material = next;
        context = null;
    }

    boolean connect(Channel channel) {
        if (removed || connections.size() >= limits.clusterConnectionsMax()) {
            return false;
        }
        connections.add(channel);
        channel.closeFuture().addListener(_ -> connections.remove(channel));
        return true;
    }

    Set<Channel> connections() {
        return connections;
    }

    /** Takes a place among the requests in flight, or none when all are taken. */
    boolean enter() {
        if (inFlight.incrementAndGet() > limits.clusterRequestsInFlightMax()) {
            inFlight.decrementAndGet();
            return false;
        }
        requests.incrementAndGet();
        return true;
    }

    void leave() {
        inFlight.decrementAndGet();
    }

    boolean open(LongRunning running) {
        if (longRunningCount.incrementAndGet() > limits.clusterLongRunningMax()) {
            longRunningCount.decrementAndGet();
            return false;
        }
        longRunning.add(running);
        if (removed) {
            running.end();
        }
        return true;
    }

    void closed(LongRunning running) {
        if (longRunning.remove(running)) {
            longRunningCount.decrementAndGet();
        }
    }

    boolean reserveBody(int bytes) {
        if (bodyBytes.addAndGet(bytes) > limits.clusterBodyBytesMax()) {
            bodyBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void releaseBody(int bytes) {
        bodyBytes.addAndGet(-bytes);
    }

    boolean removed() {
        return removed;
    }

    /** Refuses what comes and ends what would not end by itself. */
    void remove() {
        removed = true;
        longRunning.forEach(LongRunning::end);
    }

    Listener.Activity activity() {
        return new Listener.Activity(
                connections.size(), inFlight.get(), longRunningCount.get(), requests.get(), bodyBytes.get());
    }
}
