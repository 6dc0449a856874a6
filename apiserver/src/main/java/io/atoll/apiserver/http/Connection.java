package io.atoll.apiserver.http;

import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What all requests of one connection share. Immutable.
 *
 * @param certificate the client certificate whose key the client proved to hold; trust is not decided
 */
record Connection(ServedCluster cluster, @Nullable X509Certificate certificate, Shared shared) {
    ListenerLimits limits() {
        return shared.limits();
    }

    /** Takes a place among the requests in flight. */
    boolean enter() {
        if (shared.inFlight().incrementAndGet() > limits().requestsInFlightMax()) {
            shared.inFlight().decrementAndGet();
            return false;
        }
        if (!cluster.enter()) {
            shared.inFlight().decrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        cluster.leave();
        shared.inFlight().decrementAndGet();
    }

    /** Counts bytes of a body that is held; false when they are more than may be. */
    boolean reserveBody(int bytes) {
        if (shared.bodyBytes().addAndGet(bytes) > limits().bodyBytesMax() || !cluster.reserveBody(bytes)) {
            shared.bodyBytes().addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void releaseBody(int bytes) {
        cluster.releaseBody(bytes);
        shared.bodyBytes().addAndGet(-bytes);
    }

    /** What all connections of a listener share. */
    record Shared(ListenerLimits limits, AtomicInteger inFlight, AtomicLong bodyBytes, HttpDate date, Jitter jitter) {}
}
