package io.atoll.apiserver.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Cuts a connection or stream whose reader takes no byte of what waits for it. On its event loop. */
final class StallGuard {
    private StallGuard() {}

    static void watch(ChannelHandlerContext context, ChannelFuture write, Duration limit) {
        check(context, write, limit, Long.MAX_VALUE);
    }

    private static void check(ChannelHandlerContext context, ChannelFuture write, Duration limit, long waitingBefore) {
        if (write.isDone()) {
            return;
        }
        long waiting = context.channel().bytesBeforeWritable();
        if (waiting == waitingBefore) {
            context.close();
            return;
        }
        context.executor()
                .schedule(() -> check(context, write, limit, waiting), limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
