package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.model.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Failures that the listener itself answers, as {@code Status} objects. */
final class Failure {
    private Failure() {}

    static ApiResponse.Full of(ApiException failure) {
        ApiException.Details details = failure.details();
        int retryAfter = details == null ? 0 : details.retryAfterSeconds();
        return of(failure.code(), failure.reason().name(), String.valueOf(failure.getMessage()), retryAfter);
    }

    static ApiResponse.Full of(int code, String reason, String message) {
        return of(code, reason, message, 0);
    }

    static ApiResponse.Full unauthorized() {
        return of(401, "Unauthorized", "Unauthorized");
    }

    static ApiResponse.Full tooManyRequests() {
        return of(429, "TooManyRequests", "Too many requests, please try again later.", 1);
    }

    static ApiResponse.Full bodyTooLarge(int bytesMax) {
        return of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + bytesMax);
    }

    static ApiResponse.Full deadline() {
        return of(504, "Timeout", "Timeout: request did not complete within the allotted timeout");
    }

    static ApiResponse.Full internal(Throwable cause) {
        String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return of(500, "InternalError", "Internal error occurred: " + why);
    }

    private static ApiResponse.Full of(int code, String reason, String message, int retryAfterSeconds) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", message).put("reason", reason);
        if (retryAfterSeconds > 0) {
            status.putObject("details").put("retryAfterSeconds", retryAfterSeconds);
        }
        status.put("code", code);
        Map<String, String> headers =
                retryAfterSeconds > 0 ? Map.of("Retry-After", String.valueOf(retryAfterSeconds)) : Map.of();
        byte[] body = status.toString().getBytes(StandardCharsets.UTF_8);
        return new ApiResponse.Full(code, "application/json", headers, List.of(body));
    }
}
