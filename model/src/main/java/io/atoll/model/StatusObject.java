package io.atoll.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code Status} objects from failures and back. Stateless; any thread. */
public final class StatusObject {
    private StatusObject() {}

    /** The body that a server answers a failure with. */
    public static ObjectNode of(ApiException failure) {
        ObjectNode status = head();
        status.put("status", "Failure")
                .put("message", String.valueOf(failure.getMessage()))
                .put("reason", failure.reason().name());
        ApiException.Details details = failure.details();
        if (details != null) {
            putDetails(status, details);
        }
        return status.put("code", failure.code());
    }

    /** The body of a successful delete: what was deleted. */
    public static ObjectNode success(GroupResource resource, String name, String uid) {
        ObjectNode status = head();
        status.put("status", "Success");
        ObjectNode details = status.putObject("details").put("name", name);
        if (!resource.group().isEmpty()) {
            details.put("group", resource.group());
        }
        details.put("kind", resource.resource());
        if (!uid.isEmpty()) {
            details.put("uid", uid);
        }
        return status;
    }

    public static boolean isStatus(JsonNode tree) {
        return "Status".equals(tree.path("kind").asString("")) && tree.has("status");
    }

    /** The failure that a server's answer tells of, whatever its body is. */
    public static ApiException toException(int code, JsonNode body) {
        String message = body.path("message").asString("the server responded with the status code " + code);
        StatusReason reason = reason(body.path("reason").asString(""), code);
        int status = body.path("code").asInt(code);
        return new ApiException(reason, status, message, body.has("details") ? details(body.path("details")) : null);
    }

    private static ObjectNode head() {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        return status;
    }

    private static void putDetails(ObjectNode status, ApiException.Details details) {
        ObjectNode node = status.putObject("details");
        putText(node, "name", details.name());
        putText(node, "group", details.group());
        putText(node, "kind", details.kind());
        if (!details.causes().isEmpty()) {
            ArrayNode causes = node.putArray("causes");
            for (ApiException.Cause cause : details.causes()) {
                ObjectNode entry = causes.addObject();
                putText(entry, "reason", cause.reason());
                putText(entry, "message", cause.message());
                putText(entry, "field", cause.field());
            }
        }
        if (details.retryAfterSeconds() > 0) {
            node.put("retryAfterSeconds", details.retryAfterSeconds());
        }
    }

    private static void putText(ObjectNode node, String field, String value) {
        if (!value.isEmpty()) {
            node.put(field, value);
        }
    }

    private static ApiException.Details details(JsonNode node) {
        List<ApiException.Cause> causes = new ArrayList<>();
        for (JsonNode cause : node.path("causes")) {
            causes.add(new ApiException.Cause(
                    cause.path("reason").asString(""),
                    cause.path("message").asString(""),
                    cause.path("field").asString("")));
        }
        return new ApiException.Details(
                node.path("group").asString(""),
                node.path("kind").asString(""),
                node.path("name").asString(""),
                causes,
                node.path("retryAfterSeconds").asInt(0));
    }

    private static StatusReason reason(String name, int code) {
        StatusReason byCode = null;
        for (StatusReason reason : StatusReason.values()) {
            if (reason.name().equals(name)) {
                return reason;
            }
            byCode = first(byCode, reason, code);
        }
        if (byCode != null) {
            return byCode;
        }
        return code >= 500 ? StatusReason.InternalError : StatusReason.BadRequest;
    }

    private static @Nullable StatusReason first(@Nullable StatusReason found, StatusReason reason, int code) {
        return found == null && reason.code() == code ? reason : found;
    }
}
