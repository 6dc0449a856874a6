package io.atoll.apiserver.http;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Map;

/** Response heads. */
final class AnswerHead {
    private AnswerHead() {}

    /** A head whose body's length is not known. */
    static HttpResponse streaming(Exchange exchange, int status, String contentType) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        fill(response.headers(), exchange, contentType, Map.of());
        if (exchange.head().protocolVersion().isKeepAliveDefault()) {
            response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else {
            exchange.closeAfterwards();
        }
        return response;
    }

    static void fill(HttpHeaders headers, Exchange exchange, String contentType, Map<String, String> more) {
        if (more.keySet().stream().noneMatch(HttpHeaderNames.CACHE_CONTROL::contentEqualsIgnoreCase)) {
            headers.set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private");
        }
        if (!contentType.isEmpty()) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
        }
        headers.set(HttpHeaderNames.DATE, exchange.connection().shared().date().now());
        for (Map.Entry<String, String> field : more.entrySet()) {
            // a value of several lines is a repeated field, e.g. Warning
            field.getValue().lines().forEach(line -> headers.add(field.getKey(), line));
        }
        if (!exchange.keepAlive()) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (!exchange.head().protocolVersion().isKeepAliveDefault()) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }
}
