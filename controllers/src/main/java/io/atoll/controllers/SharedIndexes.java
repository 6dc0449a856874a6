package io.atoll.controllers;

import io.atoll.client.ObjectCache;

/** Who owns what, kept once for all controllers of a cluster. Any thread. */
final class SharedIndexes implements AutoCloseable {
    final OwnedObjects pods;
    final OwnedObjects replicaSets;
    final OwnedObjects jobs;
    final OwnedObjects revisions;

    SharedIndexes(ObjectCache cache) {
        pods = new OwnedObjects(cache, Kinds.PODS);
        replicaSets = new OwnedObjects(cache, Kinds.REPLICA_SETS);
        jobs = new OwnedObjects(cache, Kinds.JOBS);
        revisions = new OwnedObjects(cache, Kinds.CONTROLLER_REVISIONS);
    }

    /** To be called once the controllers have subscribed. */
    void start() {
        pods.start();
        replicaSets.start();
        jobs.start();
        revisions.start();
    }

    @Override
    public void close() {
        pods.close();
        replicaSets.close();
        jobs.close();
        revisions.close();
    }
}
