package io.atoll.apiserver.verb;

import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.ApiException.Details;
import io.atoll.model.StatusReason;
import java.util.List;

/** The rules of the {@code resourceVersion} parameter. Stateless. */
final class Revisions {
    private Revisions() {}

    /** Zero for none. */
    static long parse(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long revision = Long.parseLong(text);
            if (revision >= 0) {
                return revision;
            }
        } catch (NumberFormatException _) {
            // the message below
        }
        throw ApiException.invalid(
                new io.atoll.model.GroupVersionKind("meta.k8s.io", "v1", "ListOptions"),
                "",
                List.of(new Cause(
                        "FieldValueInvalid",
                        "Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text + "\": invalid syntax",
                        "resourceVersion")));
    }

    /** A version from the future can only come from another cluster: nothing to wait for. */
    static void checkNotTooNew(Call call, String text) {
        long revision = parse(text);
        long current = call.registry().cache().revision();
        if (revision > current) {
            throw new ApiException(
                    StatusReason.Timeout,
                    StatusReason.Timeout.code(),
                    "Timeout: Too large resource version: " + revision + ", current: " + current,
                    new Details(
                            "",
                            "",
                            "",
                            List.of(new Cause("ResourceVersionTooLarge", "Too large resource version", "")),
                            1));
        }
    }

    static ApiException expired(long revision, long oldest) {
        return new ApiException(StatusReason.Expired, "too old resource version: " + revision + " (" + oldest + ")");
    }
}
