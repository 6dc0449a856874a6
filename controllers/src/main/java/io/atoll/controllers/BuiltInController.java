package io.atoll.controllers;

/** One controller of one cluster. Holds no thread while it has nothing to do. */
interface BuiltInController extends AutoCloseable {
    /** Subscribes to what it acts on; what is there already counts as news. */
    void start();

    /** True when it has nothing to do now; what is due later does not count. */
    boolean idle();

    @Override
    void close();
}
