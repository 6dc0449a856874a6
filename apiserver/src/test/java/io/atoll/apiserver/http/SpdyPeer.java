package io.atoll.apiserver.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A client's end of a SPDY connection, over whatever carries its bytes. */
final class SpdyPeer {
    private final EmbeddedChannel codec = new EmbeddedChannel(SpdyUpgrade.codec());
    private final Transport transport;
    private final Map<Integer, ByteArrayOutputStream> received = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private int nextStream = 1;

    interface Transport {
        void send(byte[] bytes) throws IOException;

        byte[] receive() throws IOException;
    }

    SpdyPeer(Transport transport) {
        this.transport = transport;
    }

    int open(String... headers) throws IOException {
        int id = nextStream;
        nextStream += 2;
        DefaultSpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
        for (int i = 0; i < headers.length; i += 2) {
            frame.headers().set(headers[i], headers[i + 1]);
        }
        send(frame);
        return id;
    }

    void write(int stream, String text, boolean last) throws IOException {
        DefaultSpdyDataFrame frame =
                new DefaultSpdyDataFrame(stream, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
        frame.setLast(last);
        send(frame);
    }

    private void send(Object frame) throws IOException {
        codec.writeOutbound(frame);
        for (ByteBuf bytes = codec.readOutbound(); bytes != null; bytes = codec.readOutbound()) {
            transport.send(ByteBufUtil.getBytes(bytes));
            bytes.release();
        }
    }

    /** What the server wrote on a stream until it ended its side. */
    String readAll(int stream) throws IOException {
        while (!ended.contains(stream)) {
            codec.writeInbound(Unpooled.wrappedBuffer(transport.receive()));
            for (Object frame = codec.readInbound(); frame != null; frame = codec.readInbound()) {
                if (frame instanceof SpdyDataFrame data) {
                    content(data.streamId()).writeBytes(ByteBufUtil.getBytes(data.content()));
                    data.release();
                    if (data.isLast()) {
                        ended.add(data.streamId());
                    }
                }
            }
        }
        return content(stream).toString(StandardCharsets.UTF_8);
    }

    private ByteArrayOutputStream content(int stream) {
        return received.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
    }
}
