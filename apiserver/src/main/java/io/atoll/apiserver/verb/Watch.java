package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.watch.EventEncoder;
import io.atoll.apiserver.watch.WatchCache;
import io.atoll.model.ApiException;
import io.atoll.store.CompactedException;
import io.atoll.store.FutureRevisionException;
import java.time.Duration;

/** Opens a watch: from now with the present state, or from a revision on. */
final class Watch implements Verb {
    private static final int TIMEOUT_SECONDS_DEFAULT = 1800;

    @Override
    public ApiResponse run(Call call) {
        Endpoint endpoint = call.endpoint();
        String version = call.parameter("resourceVersion");
        String initial = call.parameter("sendInitialEvents");
        boolean bookmarks = RequestPath.isTrue(call.http().parameter("allowWatchBookmarks"));
        checkOptions(initial, call.parameter("resourceVersionMatch"));
        Revisions.checkNotTooNew(call, version);
        long revision = Revisions.parse(version);
        Selection selection = Selection.of(call);
        EventEncoder encoder = EventEncoders.of(call);
        Feed.Start start = initial.equals("true")
                ? Feed.Start.PRESENT_THEN_BOOKMARK
                : revision > 0 ? Feed.Start.CHANGES : initial.equals("false") ? Feed.Start.CHANGES : Feed.Start.PRESENT;
        Feed feed =
                new Feed(selection, encoder, start, bookmarks, call.registry().timers(), timeout(call));
        WatchCache cache = call.registry().cache();
        try {
            if (start == Feed.Start.CHANGES) {
                feed.follow(cache.followAfter(endpoint.storedAs(), revision > 0 ? revision : cache.revision(), feed));
            } else {
                feed.follow(cache.followFromNow(endpoint.storedAs(), call.path().namespace(), feed));
            }
        } catch (CompactedException _) {
            throw Revisions.expired(revision, cache.revision());
        } catch (FutureRevisionException _) {
            Revisions.checkNotTooNew(call, version);
            throw Revisions.expired(revision, cache.revision());
        }
        return new ApiResponse.Watch(EventEncoders.contentType(call.output()), feed);
    }

    private static Duration timeout(Call call) {
        long asked = Revisions.parse(call.parameter("timeoutSeconds"));
        long seconds = asked > 0
                ? asked
                : TIMEOUT_SECONDS_DEFAULT + call.registry().random().nextInt(TIMEOUT_SECONDS_DEFAULT);
        return Duration.ofSeconds(seconds);
    }

    private static void checkOptions(String initial, String match) {
        if (!initial.isEmpty()) {
            if (!match.equals("NotOlderThan")) {
                throw ListObjects.forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            }
        } else if (!match.isEmpty()) {
            throw forbiddenMatch();
        }
    }

    private static ApiException forbiddenMatch() {
        return ListObjects.forbidden(
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
}
