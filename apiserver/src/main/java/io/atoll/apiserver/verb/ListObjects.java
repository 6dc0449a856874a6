package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.Snapshot;
import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.StatusReason;
import io.atoll.store.CompactedException;
import java.util.ArrayList;
import java.util.List;

/** Lists a collection: from the watch cache, or from the store's history when a page or a revision asks for it. */
final class ListObjects implements Verb {
    private static final String TOKEN_TOO_OLD =
            "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                    + " without the continue parameter.";

    @Override
    public ApiResponse run(Call call) {
        return Responses.list(call, page(call));
    }

    static ListPage page(Call call) {
        String version = call.parameter("resourceVersion");
        String match = call.parameter("resourceVersionMatch");
        String token = call.parameter("continue");
        checkOptions(version, match, token);
        int limit = limit(call.parameter("limit"));
        Selection selection = Selection.of(call);
        if (!token.isEmpty()) {
            ContinueToken from = ContinueToken.parse(token);
            return fromHistory(call, selection, from.revision(), from.start(), limit, TOKEN_TOO_OLD);
        }
        Revisions.checkNotTooNew(call, version);
        if (match.equals("Exact")) {
            long revision = Revisions.parse(version);
            return fromHistory(
                    call, selection, revision, "", limit, "The resourceVersion for the provided list is too old.");
        }
        return fromCache(call, selection, limit);
    }

    private static ListPage fromCache(Call call, Selection selection, int limit) {
        Snapshot snapshot = call.registry()
                .cache()
                .list(call.endpoint().storedAs(), call.path().namespace());
        List<CachedObject> all = snapshot.objects();
        if (selection.everything() && (limit == 0 || all.size() <= limit)) {
            return new ListPage(snapshot.revision(), all, "", -1);
        }
        List<CachedObject> chosen = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (!selection.matches(all.get(i))) {
                continue;
            }
            if (limit > 0 && chosen.size() == limit) {
                String next =
                        new ContinueToken(snapshot.revision(), chosen.getLast().path()).encode();
                long remaining = selection.everything() ? all.size() - limit : -1;
                return new ListPage(snapshot.revision(), chosen, next, remaining);
            }
            chosen.add(all.get(i));
        }
        return new ListPage(snapshot.revision(), chosen, "", -1);
    }

    private static ListPage fromHistory(
            Call call, Selection selection, long revision, String start, int limit, String tooOld) {
        History history = new History(call, revision);
        List<CachedObject> chosen = new ArrayList<>();
        String last = start;
        try {
            while (true) {
                History.Part part = history.read(last, limit == 0 ? 0 : Math.max(limit, 64));
                for (CachedObject object : part.objects()) {
                    if (selection.matches(object)) {
                        if (limit > 0 && chosen.size() == limit) {
                            String next =
                                    new ContinueToken(revision, chosen.getLast().path()).encode();
                            long remaining = selection.everything() ? history.after(chosen.getLast()) : -1;
                            return new ListPage(revision, chosen, next, remaining);
                        }
                        chosen.add(object);
                    }
                    last = object.path();
                }
                if (part.last()) {
                    return new ListPage(revision, chosen, "", -1);
                }
            }
        } catch (CompactedException _) {
            throw new ApiException(StatusReason.Expired, tooOld);
        }
    }

    private static int limit(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return (int) Math.min(Math.max(Long.parseLong(text), 0), Integer.MAX_VALUE);
        } catch (NumberFormatException _) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
        }
    }

    private static void checkOptions(String version, String match, String token) {
        if (!token.isEmpty() && !version.isEmpty() && !version.equals("0")) {
            throw ApiException.badRequest("specifying resource version is not allowed when using continue");
        }
        if (match.isEmpty()) {
            return;
        }
        if (!token.isEmpty()) {
            throw forbidden("resourceVersionMatch is forbidden when continue is provided");
        }
        if (version.isEmpty()) {
            throw forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw invalid(
                    "FieldValueNotSupported",
                    "Unsupported value: \"" + match + "\": supported values: \"Exact\", \"NotOlderThan\"");
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }

    static ApiException forbidden(String why) {
        return invalid("FieldValueForbidden", "Forbidden: " + why);
    }

    private static ApiException invalid(String reason, String message) {
        return ApiException.invalid(
                new GroupVersionKind("meta.k8s.io", "v1", "ListOptions"),
                "",
                List.of(new Cause(reason, message, "resourceVersionMatch")));
    }
}
