package io.atoll.client;

import io.atoll.model.ApiException;
import io.atoll.model.StatusObject;
import io.atoll.model.StatusReason;
import java.nio.charset.StandardCharsets;
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
        return StatusObject.isStatus(status)
                ? StatusObject.toException(code, status)
                : new ApiException(byCode(code), code, plain(code, body), null);
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
