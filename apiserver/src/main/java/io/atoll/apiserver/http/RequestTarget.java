package io.atoll.apiserver.http;

import io.atoll.model.ApiException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The decoded target of a request line. Immutable.
 *
 * <p>The path is decoded once, here, and is free of {@code .} and {@code ..} segments, NUL and broken UTF-8, so that
 * what is authorized is what is served.
 */
record RequestTarget(String path, Map<String, List<String>> query) {
    private static final int PARAMETERS_MAX = 1_000;

    static RequestTarget parse(String uri) {
        int start = pathStart(uri);
        int mark = uri.indexOf('?', start);
        String path = decode(mark < 0 ? uri.substring(start) : uri.substring(start, mark), false);
        checkPath(path);
        return new RequestTarget(path, mark < 0 ? Map.of() : query(uri, mark + 1));
    }

    private static int pathStart(String uri) {
        if (uri.startsWith("/")) {
            return 0;
        }
        int scheme = uri.indexOf("://");
        int slash = scheme < 0 ? -1 : uri.indexOf('/', scheme + 3);
        if (slash < 0) {
            throw ApiException.badRequest("the request target is not an absolute path");
        }
        return slash;
    }

    private static void checkPath(String path) {
        if (path.indexOf('\0') >= 0) {
            throw ApiException.badRequest("the request path holds a NUL");
        }
        if (path.contains("/.")) {
            for (String segment : path.split("/", -1)) {
                if (segment.equals(".") || segment.equals("..")) {
                    throw ApiException.badRequest("the request path holds a \"" + segment + "\" segment");
                }
            }
        }
    }

    private static Map<String, List<String>> query(String uri, int from) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        int count = 0;
        for (int start = from; start < uri.length(); ) {
            int end = uri.indexOf('&', start);
            end = end < 0 ? uri.length() : end;
            if (end > start) {
                if (++count > PARAMETERS_MAX) {
                    throw ApiException.badRequest("more than " + PARAMETERS_MAX + " query parameters");
                }
                int equals = uri.indexOf('=', start);
                boolean hasValue = equals >= 0 && equals < end;
                String name = decode(uri.substring(start, hasValue ? equals : end), true);
                String value = hasValue ? decode(uri.substring(equals + 1, end), true) : "";
                parameters.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
            }
            start = end + 1;
        }
        return parameters;
    }

    private static String decode(String text, boolean form) {
        if (text.indexOf('%') < 0 && (!form || text.indexOf('+') < 0)) {
            return text;
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                if (i + 2 >= text.length()) {
                    throw badEscape(text.substring(i));
                }
                int high = Character.digit(text.charAt(i + 1), 16);
                int low = Character.digit(text.charAt(i + 2), 16);
                if (high < 0 || low < 0) {
                    throw badEscape(text.substring(i, i + 3));
                }
                bytes.put((byte) (high << 4 | low));
                i += 2;
            } else if (c == '+' && form) {
                bytes.put((byte) ' ');
            } else if (c < 0x80) {
                bytes.put((byte) c);
            } else {
                bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw ApiException.badRequest("the request target is not UTF-8");
        }
    }

    private static ApiException badEscape(String escape) {
        return ApiException.badRequest("invalid URL escape \"" + escape + "\"");
    }
}
