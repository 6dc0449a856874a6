package io.atoll.apiserver.verb;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.WatchCache;
import io.atoll.store.Store;
import java.util.List;

/** A resource's objects as of one revision, read from the store part by part. One thread. */
final class History {
    private final Store store;
    private final String root;
    private final String prefix;
    private final long revision;

    /**
     * Objects in key order.
     *
     * @param last whether nothing follows
     */
    record Part(List<CachedObject> objects, boolean last) {}

    History(Call call, long revision) {
        this.store = call.registry().store();
        this.root = WatchCache.prefix(call.endpoint().storedAs());
        this.prefix =
                call.path().namespace().isEmpty() ? root : root + call.path().namespace() + "/";
        this.revision = revision;
    }

    /** Reads on after a path; an empty one starts at the beginning. */
    Part read(String afterPath, int limit) {
        Store.Page page = store.list(prefix, revision, afterPath.isEmpty() ? "" : root + afterPath, limit);
        List<CachedObject> objects = page.entries().stream()
                .map(entry -> CachedObject.of(entry.key().substring(root.length()), entry.value(), entry.modRevision()))
                .toList();
        return new Part(objects, page.remaining() == 0);
    }

    /** How many objects follow one. */
    long after(CachedObject object) {
        Store.Page page = store.list(prefix, revision, root + object.path(), 1);
        return page.remaining() + page.entries().size();
    }
}
