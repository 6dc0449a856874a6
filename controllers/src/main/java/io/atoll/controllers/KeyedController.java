package io.atoll.controllers;

import io.atoll.base.Backoff;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ResourceType;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A controller whose work is named by the object it is about. Subclasses say what to watch and how to reconcile. */
abstract class KeyedController implements BuiltInController, Reconciler<ObjectKey> {
    private static final int WORKERS_MAX = 5;

    protected final ControllerContext context;
    protected final Client client;
    protected final ObjectCache cache;
    private final Controller<ObjectKey> controller;
    private final List<ObjectCache.Subscription> subscriptions = new CopyOnWriteArrayList<>();

    KeyedController(ControllerContext context, String name) {
        this(context, name, Controller.DEFAULT_BACKOFF);
    }

    KeyedController(ControllerContext context, String name, Backoff backoff) {
        this.context = context;
        this.client = context.client();
        this.cache = context.cache();
        this.controller = new Controller<>(name, context.timers(), backoff, WORKERS_MAX, this);
    }

    @Override
    public boolean idle() {
        return controller.idle();
    }

    @Override
    public void close() {
        subscriptions.forEach(ObjectCache.Subscription::close);
        controller.close();
    }

    protected final void watch(ResourceType type, ObjectCache.Listener listener) {
        subscriptions.add(cache.subscribe(type, listener));
    }

    /** Reconciles every object of a type when it changes or goes. */
    protected final void watchOwn(ResourceType type) {
        watch(type, (before, after) -> enqueue(after != null ? after : before));
    }

    protected final void enqueue(@org.jspecify.annotations.Nullable StoredObject object) {
        if (object != null) {
            controller.enqueue(ObjectKey.of(object));
        }
    }

    protected final void enqueue(ObjectKey key) {
        controller.enqueue(key);
    }

    protected final void enqueueAfter(ObjectKey key, Duration delay) {
        controller.enqueueAfter(key, delay);
    }

    protected final Optional<StoredObject> find(ResourceType type, ObjectKey key) {
        return cache.get(type, key.namespace(), key.name());
    }
}
