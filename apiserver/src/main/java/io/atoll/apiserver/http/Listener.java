package io.atoll.apiserver.http;

import io.atoll.apiserver.Cluster;
import io.atoll.base.TenantId;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves clusters over TLS: each on a port of its own, and by the host name in the TLS handshake (SNI) on every port.
 *
 * <p>A few event loops move bytes for all clusters; each request runs on a virtual thread of its own. Any thread may
 * add and remove clusters. Which cluster a connection talks to is decided once, in its handshake.
 */
public final class Listener implements AutoCloseable {
    private final Options options;
    private final SslProvider provider;
    private final EventLoopGroup loops;
    private final Connection.Shared shared;
    private final AtomicInteger connections = new AtomicInteger();
    private final Map<TenantId, Entry> clusters = new ConcurrentHashMap<>();
    private final Map<String, ServedCluster> byHostName = new ConcurrentHashMap<>();

    /**
     * How a listener is set up.
     *
     * @param address where ports are opened
     * @param eventLoops threads that move bytes
     * @param clock of the Date header
     * @param forceJdkTls even where BoringSSL is there
     */
    public record Options(
            InetAddress address, int eventLoops, ListenerLimits limits, InstantSource clock, boolean forceJdkTls) {
        public static Options loopback() {
            int loops = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
            return new Options(
                    InetAddress.getLoopbackAddress(), loops, ListenerLimits.DEFAULT, InstantSource.system(), false);
        }

        public Options withLimits(ListenerLimits limits) {
            return new Options(address, eventLoops, limits, clock, forceJdkTls);
        }
    }

    /** A cluster's share of the listener just now; {@code requests} counts from the start. */
    public record Activity(int connections, int inFlight, int longRunning, long requests, long bodyBytes) {}

    private record Entry(ServedCluster cluster, @Nullable Channel port) {}

    public Listener(Options options) {
        this.options = options;
        this.provider = options.forceJdkTls() ? SslProvider.JDK : ServerTls.provider();
        this.loops = new MultiThreadIoEventLoopGroup(
                options.eventLoops(), new DefaultThreadFactory("listener", true), NioIoHandler.newFactory());
        this.shared = new Connection.Shared(
                options.limits(), new AtomicInteger(), new AtomicLong(), new HttpDate(options.clock()), new Jitter());
    }

    /**
     * Serves a cluster on a port of its own.
     *
     * @param port zero for any free one
     * @param hostNames names that select this cluster by SNI on any port of this listener
     * @throws ListenException when the port cannot be opened
     */
    public InetSocketAddress addCluster(Cluster cluster, int port, TlsMaterial tls, Set<String> hostNames) {
        ServedCluster served = register(cluster, tls, hostNames);
        try {
            Channel channel = open(port, served);
            clusters.put(cluster.tenant(), new Entry(served, channel));
            return (InetSocketAddress) channel.localAddress();
        } catch (ListenException e) {
            unregister(cluster.tenant(), served);
            throw e;
        }
    }

    /** Serves a cluster by host name only, on the ports that are open. */
    public void addCluster(Cluster cluster, TlsMaterial tls, Set<String> hostNames) {
        if (hostNames.isEmpty()) {
            throw new IllegalArgumentException("a cluster without a port needs a host name");
        }
        register(cluster, tls, hostNames);
    }

    /** Serves another certificate for a cluster from the next handshake on. */
    public void rotate(TenantId tenant, TlsMaterial tls) {
        Entry entry = clusters.get(tenant);
        if (entry == null) {
            throw new IllegalArgumentException("not served: " + tenant);
        }
        entry.cluster().rotate(tls);
    }

    /** Stops serving a cluster: ends its watches in good order, lets requests in flight finish, closes its port. */
    public void removeCluster(TenantId tenant) {
        Entry entry = clusters.get(tenant);
        if (entry != null) {
            drain(List.of(entry));
        }
    }

    public Optional<Activity> activity(TenantId tenant) {
        return Optional.ofNullable(clusters.get(tenant))
                .map(entry -> entry.cluster().activity());
    }

    @Override
    public void close() {
        drain(List.copyOf(clusters.values()));
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private ServedCluster register(Cluster cluster, TlsMaterial tls, Set<String> hostNames) {
        Set<String> names =
                hostNames.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        ServedCluster served = new ServedCluster(cluster, tls, names, provider, options.limits());
        if (clusters.putIfAbsent(cluster.tenant(), new Entry(served, null)) != null) {
            throw new IllegalArgumentException("already served: " + cluster.tenant());
        }
        for (String name : names) {
            if (byHostName.putIfAbsent(name, served) != null) {
                unregister(cluster.tenant(), served);
                throw new IllegalArgumentException("host name already taken: " + name);
            }
        }
        return served;
    }

    private void unregister(TenantId tenant, ServedCluster served) {
        clusters.remove(tenant);
        served.hostNames().forEach(name -> byHostName.remove(name, served));
    }

    private Channel open(int port, ServedCluster served) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true) // finds watches whose client is no more
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, served);
                    }
                });
        ChannelFuture bound =
                bootstrap.bind(new InetSocketAddress(options.address(), port)).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new ListenException(options.address(), port, bound.cause());
        }
        return bound.channel();
    }

    private void accept(Channel channel, ServedCluster served) {
        if (connections.incrementAndGet() > options.limits().connectionsMax()) {
            connections.decrementAndGet();
            channel.close();
            return;
        }
        channel.closeFuture().addListener(_ -> connections.decrementAndGet());
        channel.pipeline().addLast(new ClusterSelector(served, byHostName, shared));
    }

    private void drain(List<Entry> leaving) {
        for (Entry entry : leaving) {
            if (entry.port() != null) {
                entry.port().close().awaitUninterruptibly();
            }
            unregister(entry.cluster().cluster().tenant(), entry.cluster());
            entry.cluster().remove();
            for (Channel connection : entry.cluster().connections()) {
                connection.eventLoop().execute(() -> connection.pipeline().fireUserEventTriggered(Drain.NOW));
            }
        }
        long graceMillis = options.limits().shutdownGrace().toMillis();
        for (Entry entry : leaving) {
            for (Channel connection : entry.cluster().connections()) {
                if (!connection.closeFuture().awaitUninterruptibly(graceMillis)) {
                    graceMillis = 1;
                    connection.close();
                }
            }
        }
    }

    /** Tells a connection to finish what it has and close. */
    enum Drain {
        NOW
    }
}
