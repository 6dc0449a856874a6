package io.atoll.apiserver.discovery;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * An encoded document with its hash, as clients cache it. Immutable; shared.
 *
 * @param hash of the body, in hexadecimal digits
 */
@SuppressWarnings("ArrayRecordComponent") // shared, never compared
public record Document(String contentType, byte[] body, String hash) {
    /** Encodes a tree. */
    public static Document json(String contentType, JsonNode tree) {
        return of(contentType, Json.encode(tree));
    }

    public static Document of(String contentType, byte[] body) {
        return new Document(contentType, body, hash(body));
    }

    /** Of any bytes, as {@link #hash()}. */
    public static String hash(byte[] body) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-512").digest(body))
                    .toUpperCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no SHA-512 in this JDK", e);
        }
    }

    /** Answers with the document, or with 304 when the client has it. */
    public ApiResponse answer(ApiRequest request, Map<String, String> moreHeaders) {
        String tag = "\"" + hash + "\"";
        Map<String, String> headers = new LinkedHashMap<>(moreHeaders);
        headers.put("ETag", tag);
        headers.put("Vary", "Accept");
        boolean known = request.header("if-none-match", "").contains(tag);
        return new ApiResponse.Full(known ? 304 : 200, contentType, headers, known ? List.of() : List.of(body));
    }

    /** The plain answer for a path where nothing is. */
    public static ApiResponse notFound() {
        return ApiResponse.Full.of(
                404, "text/plain; charset=utf-8", "404 page not found\n".getBytes(StandardCharsets.UTF_8));
    }
}
