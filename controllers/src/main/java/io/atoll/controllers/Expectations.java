package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a controller has done and not seen yet, per owner. Any thread; guarded by the instance's lock.
 *
 * <p>A cache trails the server. A controller that counts pods before it sees those it has just created would create
 * them again; so it creates and deletes only when nothing is expected. Expectations that are not met in time are
 * given up, for events can be lost with a failed call.
 */
final class Expectations {
    static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final InstantSource clock;
    private final Map<ObjectKey, Expected> byOwner = new HashMap<>();

    Expectations(InstantSource clock) {
        this.clock = clock;
    }

    synchronized boolean satisfied(ObjectKey owner) {
        Expected expected = byOwner.get(owner);
        if (expected == null) {
            return true;
        }
        if (expected.met() || expected.since.plus(TIMEOUT).isBefore(clock.instant())) {
            byOwner.remove(owner);
            return true;
        }
        return false;
    }

    synchronized void expectCreations(ObjectKey owner, int count) {
        Expected expected = byOwner.computeIfAbsent(owner, _ -> new Expected(clock.instant()));
        expected.creations += count;
    }

    synchronized void expectDeletions(ObjectKey owner, Collection<String> uids) {
        Expected expected = byOwner.computeIfAbsent(owner, _ -> new Expected(clock.instant()));
        expected.deletions.addAll(uids);
    }

    /** Also for a creation that failed: nothing will be seen of it. */
    synchronized void creationObserved(ObjectKey owner) {
        Expected expected = byOwner.get(owner);
        if (expected != null) {
            expected.creations--;
        }
    }

    synchronized void deletionObserved(ObjectKey owner, String uid) {
        Expected expected = byOwner.get(owner);
        if (expected != null) {
            expected.deletions.remove(uid);
        }
    }

    /** Takes in a change of an object that the owner manages, as a cache tells it; not both sides are null. */
    synchronized void observe(ObjectKey owner, @Nullable StoredObject before, @Nullable StoredObject after) {
        if (before == null) {
            creationObserved(owner);
        }
        StoredObject latest = after != null ? after : before;
        if (latest != null && (after == null || latest.metadata().deleting())) {
            deletionObserved(owner, latest.metadata().uid());
        }
    }

    synchronized void forget(ObjectKey owner) {
        byOwner.remove(owner);
    }

    private static final class Expected {
        private final Instant since;
        private final Set<String> deletions = new HashSet<>();
        private int creations;

        Expected(Instant since) {
            this.since = since;
        }

        boolean met() {
            return creations <= 0 && deletions.isEmpty();
        }
    }
}
