package io.atoll.apiserver.http;

import java.util.concurrent.atomic.AtomicLong;

/** Spreads the ends of watches: a low-discrepancy sequence, even without being random. Any thread. */
final class Jitter {
    private static final double GOLDEN_RATIO = 0.618_033_988_749_895;

    private final AtomicLong step = new AtomicLong();

    /** In [0, 1). */
    double next() {
        double x = (step.getAndIncrement() & 0xFFFF_FFFFL) * GOLDEN_RATIO;
        return x - Math.floor(x);
    }
}
