package io.atoll.model;

/** Reasons of a failed {@code Status} with their HTTP codes, as in {@code meta/v1} {@code StatusReason}. */
public enum StatusReason {
    BadRequest(400),
    Unauthorized(401),
    Forbidden(403),
    NotFound(404),
    MethodNotAllowed(405),
    NotAcceptable(406),
    AlreadyExists(409),
    Conflict(409),
    Gone(410),
    Expired(410),
    RequestEntityTooLarge(413),
    UnsupportedMediaType(415),
    Invalid(422),
    TooManyRequests(429),
    InternalError(500),
    ServiceUnavailable(503),
    Timeout(504);

    private final int code;

    StatusReason(int code) {
        this.code = code;
    }

    /** The HTTP status code that goes with this reason. */
    public int code() {
        return code;
    }
}
