package io.atoll.apiserver.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Header fields by lower-case name, without what is the listener's own business: the token is taken out, and so are
 * fields by which a front proxy would vouch for a user, since no proxy is trusted here.
 *
 * <p>A repeated field is joined by a comma; {@code impersonate-*} fields by a newline, as a group's name may hold one.
 */
record RequestHeaders(Map<String, String> fields, @Nullable String bearerToken) {
    private static final String BEARER_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

    static RequestHeaders of(HttpHeaders headers) {
        Map<String, String> fields = HashMap.newHashMap(headers.size());
        String token = null;
        for (Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence(); all.hasNext(); ) {
            Map.Entry<CharSequence, CharSequence> field = all.next();
            String name = field.getKey().toString().toLowerCase(Locale.ROOT);
            String value = field.getValue().toString();
            if (name.equals("authorization")) {
                token = bearer(value);
            } else if (name.equals("sec-websocket-protocol") && token == null) {
                token = bearerProtocol(value);
                fields.merge(name, value, (before, more) -> before + ", " + more);
            } else if (!name.startsWith("x-remote-") && !name.startsWith("x-http2-")) {
                String separator = name.startsWith("impersonate-") ? "\n" : ", ";
                fields.merge(name, value, (before, more) -> before + separator + more);
            }
        }
        return new RequestHeaders(fields, token);
    }

    private static @Nullable String bearer(String value) {
        if (value.length() < 7 || !value.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return null;
        }
        String token = value.substring(7).strip();
        return token.isEmpty() ? null : token;
    }

    /** Browsers cannot set headers on a WebSocket: Kubernetes lets the token ride among the subprotocols. */
    private static @Nullable String bearerProtocol(String protocols) {
        for (String protocol : protocols.split(",")) {
            String name = protocol.strip();
            if (name.startsWith(BEARER_PROTOCOL)) {
                try {
                    byte[] token = Base64.getUrlDecoder().decode(name.substring(BEARER_PROTOCOL.length()));
                    return new String(token, StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    return "malformed";
                }
            }
        }
        return null;
    }
}
