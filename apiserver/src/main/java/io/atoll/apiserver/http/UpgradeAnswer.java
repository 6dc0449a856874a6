package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ApiResponse.Session;
import io.atoll.model.ApiException;
import io.netty.handler.codec.http.HttpHeaders;
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
        if (exchange.multiplexed() || !WebSocketUpgrade.asked(headers)) {
            throw ApiException.badRequest("Upgrade request required");
        }
        WebSocketUpgrade.check(headers);
        return switch (session) {
            case Session.Command command -> {
                String protocol = protocol(headers, WebSocketWire.PROTOCOLS);
                CommandWire wire = new WebSocketWire(exchange, protocol, command);
                yield () -> new CommandSession(exchange, wire).run(command);
            }
            case Session.Ports _ -> throw ApiException.badRequest("port-forward is not served yet");
        };
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
