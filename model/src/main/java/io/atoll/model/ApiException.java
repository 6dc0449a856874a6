package io.atoll.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that failed with a Kubernetes {@code Status}: raised by the server, and by the client from what a server
 * answered. Immutable; any thread.
 */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StatusReason reason;
    private final int code;
    private final transient @Nullable Details details;

    /**
     * One entry of {@code details.causes}.
     *
     * @param reason a {@code CauseType}, e.g. {@code FieldValueInvalid}
     * @param field the path of the field, e.g. {@code spec.replicas}
     */
    public record Cause(String reason, String message, String field) {}

    /**
     * {@code details} of a {@code Status}.
     *
     * @param kind the resource (not found, conflict, forbidden) or the kind (invalid), as Kubernetes does
     * @param retryAfterSeconds zero when the client should not wait
     */
    public record Details(String group, String kind, String name, List<Cause> causes, int retryAfterSeconds) {
        public Details {
            causes = List.copyOf(causes);
        }
    }

    public ApiException(StatusReason reason, String message) {
        this(reason, reason.code(), message, null);
    }

    public ApiException(StatusReason reason, int code, String message, @Nullable Details details) {
        super(message);
        this.reason = reason;
        this.code = code;
        this.details = details;
    }

    public StatusReason reason() {
        return reason;
    }

    /** The HTTP status code. */
    public int code() {
        return code;
    }

    public @Nullable Details details() {
        return details;
    }

    public static ApiException badRequest(String message) {
        return new ApiException(StatusReason.BadRequest, message);
    }

    public static ApiException notFound(GroupResource resource, String name) {
        return of(StatusReason.NotFound, resource, name, resource + " \"" + name + "\" not found");
    }

    public static ApiException alreadyExists(GroupResource resource, String name) {
        return of(StatusReason.AlreadyExists, resource, name, resource + " \"" + name + "\" already exists");
    }

    public static ApiException conflict(GroupResource resource, String name, String why) {
        return of(
                StatusReason.Conflict,
                resource,
                name,
                "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why);
    }

    public static ApiException forbidden(GroupResource resource, String name, String why) {
        String subject = name.isEmpty() ? resource + " is" : resource + " \"" + name + "\" is";
        return of(StatusReason.Forbidden, resource, name, subject + " forbidden: " + why);
    }

    /** A 422 with one cause per mistake, all of them at once. */
    public static ApiException invalid(GroupVersionKind kind, String name, List<Cause> causes) {
        StringBuilder text = new StringBuilder();
        text.append(kind.kind());
        if (!kind.group().isEmpty()) {
            text.append('.').append(kind.group());
        }
        text.append(" \"").append(name).append("\" is invalid: ");
        if (causes.size() == 1) {
            text.append(causes.getFirst().field())
                    .append(": ")
                    .append(causes.getFirst().message());
        } else {
            text.append('[');
            for (int i = 0; i < causes.size(); i++) {
                text.append(i == 0 ? "" : ", ")
                        .append(causes.get(i).field())
                        .append(": ")
                        .append(causes.get(i).message());
            }
            text.append(']');
        }
        return new ApiException(
                StatusReason.Invalid, 422, text.toString(), new Details(kind.group(), kind.kind(), name, causes, 0));
    }

    private static ApiException of(StatusReason reason, GroupResource resource, String name, String message) {
        return new ApiException(
                reason, reason.code(), message, new Details(resource.group(), resource.resource(), name, List.of(), 0));
    }
}
