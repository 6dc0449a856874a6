package io.atoll.apiserver;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request after authentication, free of HTTP types. Immutable.
 *
 * @param method GET, POST, PUT, PATCH, DELETE, HEAD
 * @param path decoded absolute path without query, e.g. {@code /api/v1/pods}
 * @param query decoded query parameters in order
 * @param headers names in lower case; repeated ones are joined by a comma, {@code impersonate-*} ones by a newline, as a
 *     group's name may hold a comma; without the credentials that have been looked at
 */
@SuppressWarnings("ArrayRecordComponent") // the body is handed over, not compared
public record ApiRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        byte[] body,
        UserInfo user) {

    /** First value of a query parameter. */
    public @Nullable String parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }

    public String header(String name, String otherwise) {
        return headers.getOrDefault(name, otherwise);
    }
}
