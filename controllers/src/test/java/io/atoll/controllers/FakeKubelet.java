package io.atoll.controllers;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.pod.PodPhase;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Pretends to run pods: gives them the phase that a test wants, and lets them go when they are deleted. */
final class FakeKubelet implements AutoCloseable {
    private final Client client;
    private final ObjectCache cache;
    private final Function<ObjectNode, String> phases;
    private final Controller<ObjectKey> controller;
    private final ObjectCache.Subscription subscription;

    /** @param phases the phase of each pod; empty to leave it as it is */
    FakeKubelet(Client client, ObjectCache cache, Function<ObjectNode, String> phases) {
        this.client = client;
        this.cache = cache;
        this.phases = phases;
        controller = new Controller<>("fake-kubelet", Timers.system(), 4, this::sync);
        subscription = cache.subscribe(Kinds.PODS, (before, after) -> {
            if (after != null) {
                controller.enqueue(ObjectKey.of(after));
            }
        });
    }

    /** Looks at all pods again, after the test has changed its mind about phases. */
    void lookAgain() {
        cache.list(Kinds.PODS, "").forEach(pod -> controller.enqueue(ObjectKey.of(pod)));
    }

    private Reconciler.Result sync(ObjectKey key) {
        Optional<ObjectNode> stored =
                cache.get(Kinds.PODS, key.namespace(), key.name()).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Reconciler.Result.DONE;
        }
        ObjectNode pod = stored.get();
        try {
            if (Metadata.deleting(pod)) {
                client.delete(
                        Kinds.PODS, key.namespace(), key.name(), new Client.DeleteOptions(0, "", Metadata.uid(pod)));
            } else {
                setPhase(pod, phases.apply(pod));
            }
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
        return Reconciler.Result.DONE;
    }

    private void setPhase(ObjectNode pod, String phase) {
        if (phase.isEmpty() || Pods.terminal(pod) || PodPhase.of(pod).equals(phase)) {
            return;
        }
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", phase).put("podIP", "10.0.0.1").put("startTime", now);
        status.putArray("podIPs").addObject().put("ip", "10.0.0.1");
        ObjectNode ready = Conditions.of("Ready", phase.equals("Running") ? "True" : "False", "", "");
        ready.remove("reason");
        ready.remove("message");
        Conditions.set(status, ready, now);
        client.updateStatus(Kinds.PODS, pod);
    }

    @Override
    public void close() {
        subscription.close();
        controller.close();
    }
}
