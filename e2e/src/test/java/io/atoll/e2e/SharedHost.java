package io.atoll.e2e;

/** One untainted and one tainted host for all the tests that leave no trace on them; stopped when the tests end. */
final class SharedHost {
    private static final class Plain {
        static final EmbeddedHost HOST = started();
    }

    private static final class Tainted {
        static final EmbeddedHost HOST = started("--taint-gpus");
    }

    private SharedHost() {}

    /** Two T4 nodes and one with eight H100s, without taints. */
    static EmbeddedHost plain() {
        return Plain.HOST;
    }

    /** The same with the taint {@code nvidia.com/gpu:NoSchedule} on the GPU nodes, and one node without GPUs. */
    static EmbeddedHost tainted() {
        return Tainted.HOST;
    }

    private static EmbeddedHost started(String... flags) {
        EmbeddedHost host = EmbeddedHost.up(flags);
        Runtime.getRuntime().addShutdownHook(new Thread(host::close));
        return host;
    }
}
