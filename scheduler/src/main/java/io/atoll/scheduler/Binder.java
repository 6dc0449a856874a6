package io.atoll.scheduler;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.Json;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** Posts bindings to the API server, several at once, and tells what became of each. Any thread. */
final class Binder implements AutoCloseable {
    /** A binding to post. */
    record Request(ObjectKey pod, String uid, String node, String schedulerName) {}

    /** What became of a binding. */
    sealed interface Outcome {
        Request request();

        record Bound(Request request) implements Outcome {}

        record Failed(Request request, String message) implements Outcome {}
    }

    private final Client client;
    private final Consumer<Outcome> onOutcome;
    private final Map<ObjectKey, Request> requests = new ConcurrentHashMap<>();
    private final Controller<ObjectKey> workers;

    Binder(Client client, Timers timers, int bindsMax, Consumer<Outcome> onOutcome) {
        this.client = client;
        this.onOutcome = onOutcome;
        this.workers = new Controller<>("bind", timers, bindsMax, this::bind);
    }

    void bind(Request request) {
        requests.put(request.pod, request);
        workers.enqueue(request.pod);
    }

    private Reconciler.Result bind(ObjectKey pod) {
        Request request = requests.remove(pod);
        if (request != null) {
            onOutcome.accept(post(request));
        }
        return Reconciler.Result.DONE;
    }

    private Outcome post(Request request) {
        ObjectNode binding = Json.object().put("apiVersion", "v1").put("kind", "Binding");
        binding.putObject("metadata")
                .put("name", request.pod.name())
                .put("namespace", request.pod.namespace())
                .put("uid", request.uid);
        binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", request.node);
        try {
            client.createSubresource(
                    BuiltInTypes.PODS, request.pod.namespace(), request.pod.name(), "binding", binding);
            return new Outcome.Bound(request);
        } catch (RuntimeException e) {
            return new Outcome.Failed(request, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}
