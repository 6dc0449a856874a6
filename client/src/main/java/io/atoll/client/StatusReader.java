package io.atoll.client;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Turns a failed answer into the exception it stands for. Stateless. */
final class StatusReader {
    private static final int PLAIN_BODY_CHARS_MAX = 1024;

    private StatusReader() {}

    static ApiException read(int code, byte[] body) {
        JsonNode status;
        try {
            status = JsonBytes.MAPPER.readTree(body);
        } catch (JacksonException notJson) {
            return new ApiException(byCode(code), code, plain(code, body), null);
        }
        if (!status.path("kind").asString("").equals("Status")) {
            return new ApiException(byCode(code), code, plain(code, body), null);
        }
        return read(code, status);
    }

    static ApiException read(int httpCode, JsonNode status) {
        int code = status.path("code").asInt(httpCode);
        JsonNode details = status.path("details");
        List<ApiException.Cause> causes = new ArrayList<>();
        for (JsonNode cause : details.path("causes")) {
            causes.add(new ApiException.Cause(
                    cause.path("reason").asString(""),
                    cause.path("message").asString(""),
                    cause.path("field").asString("")));
        }
        return new ApiException(
                reason(status.path("reason").asString(""), code),
                code,
                status.path("message").asString(""),
                details.isMissingNode()
                        ? null
                        : new ApiException.Details(
                                details.path("group").asString(""),
                                details.path("kind").asString(""),
                                details.path("name").asString(""),
                                causes,
                                details.path("retryAfterSeconds").asInt(0)));
    }

    private static StatusReason reason(String name, int code) {
        for (StatusReason reason : StatusReason.values()) {
            if (reason.name().equals(name)) {
                return reason;
            }
        }
        return byCode(code);
    }

    private static StatusReason byCode(int code) {
        for (StatusReason reason : StatusReason.values()) {
            if (reason.code() == code) {
                return reason;
            }
        }
        return code >= 500 ? StatusReason.InternalError : StatusReason.BadRequest;
    }

    private static String plain(int code, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            return "the server answered " + code;
        }
        return text.length() <= PLAIN_BODY_CHARS_MAX ? text : text.substring(0, PLAIN_BODY_CHARS_MAX);
    }
}
