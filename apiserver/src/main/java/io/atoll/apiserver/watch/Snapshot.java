package io.atoll.apiserver.watch;

import java.util.List;

/** Objects of one resource as of a revision, in key order. Immutable. */
public record Snapshot(long revision, List<CachedObject> objects) {}
