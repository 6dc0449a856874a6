package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ApiResponse.Session;
import io.atoll.model.ApiException;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.List;

/** Turns a connection into a two-way session, in the protocol that the client asks for. On the request's thread. */
final class UpgradeAnswer implements ServedCluster.LongRunning {
    private final Exchange exchange;

    private UpgradeAnswer(Exchange exchange) {
        this.exchange = exchange;
    }

    static void run(Exchange exchange, ApiResponse.Upgrade upgrade) {
        UpgradeAnswer answer = new UpgradeAnswer(exchange);
        Runnable session = answer.session(upgrade.session());
        if (!exchange.connection().cluster().open(answer)) {
            exchange.answer(Failure.tooManyRequests());
            return;
        }
        exchange.onClose(() -> exchange.connection().cluster().closed(answer));
        exchange.becomeLongRunning();
        session.run();
    }

    private Runnable session(Session session) {
        HttpHeaders headers = exchange.head().headers();
        if (!exchange.multiplexed() && WebSocketUpgrade.asked(headers)) {
            WebSocketUpgrade.check(headers);
            return webSocket(headers, session);
        }
        if (!exchange.multiplexed() && SpdyUpgrade.asked(headers)) {
            return spdy(headers, session);
        }
        throw ApiException.badRequest("Upgrade request required");
    }

    private Runnable webSocket(HttpHeaders headers, Session session) {
        return switch (session) {
            case Session.Command command -> {
                String protocol = protocol(headers, WebSocketWire.PROTOCOLS);
                CommandWire wire = new WebSocketWire(exchange, protocol, command);
                yield () -> new CommandSession(exchange, wire).run(command);
            }
            case Session.Ports ports -> {
                String protocol = protocol(headers, List.of(WebSocketTunnel.PORTS_PROTOCOL));
                SpdyConnection connection = new SpdyPorts(exchange, ports).connection();
                yield () -> upgrade(() -> WebSocketUpgrade.perform(
                        exchange, protocol, List.of(new WebSocketTunnel(), SpdyUpgrade.codec(), connection)));
            }
        };
    }

    private Runnable spdy(HttpHeaders headers, Session session) {
        return switch (session) {
            case Session.Command command -> {
                SpdyUpgrade.check(headers, SpdyUpgrade.COMMAND_PROTOCOL);
                CommandWire wire = new SpdyWire(exchange, command);
                yield () -> new CommandSession(exchange, wire).run(command);
            }
            case Session.Ports ports -> {
                SpdyUpgrade.check(headers, SpdyUpgrade.PORTS_PROTOCOL);
                SpdyConnection connection = new SpdyPorts(exchange, ports).connection();
                yield () -> upgrade(() -> SpdyUpgrade.perform(exchange, SpdyUpgrade.PORTS_PROTOCOL, connection));
            }
        };
    }

    private void upgrade(Runnable change) {
        try {
            exchange.upgrade(change);
        } catch (IOException e) {
            exchange.channel().close();
        }
    }

    private static String protocol(HttpHeaders headers, List<String> served) {
        return WebSocketUpgrade.protocol(headers, served)
                .orElseThrow(() -> ApiException.badRequest(
                        "unable to upgrade: unable to negotiate protocol: server supports " + served));
    }

    /** The cluster goes. */
    @Override
    public void end() {
        exchange.channel().close();
    }
}
