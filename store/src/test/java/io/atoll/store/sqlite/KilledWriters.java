package io.atoll.store.sqlite;

import io.atoll.store.Store;
import io.atoll.store.Store.Change;
import io.atoll.store.Store.CommitResult;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A process that writes from 16 threads and prints each acknowledged change, until it is killed.
 *
 * <p>Lines are {@code created KEY REVISION SEED} and {@code pair KEY REVISION SEED}; the latter stands for two keys that
 * were made together.
 */
final class KilledWriters {
    private static final int WRITERS = 16;
    private static final int VALUE_BYTES_MAX = 3_000;

    private KilledWriters() {}

    public static void main(String[] args) throws Exception {
        Store store = SqliteStore.open(Path.of(args[0]));
        int round = Integer.parseInt(args[1]);
        Thread[] writers = new Thread[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            writers[i] = Thread.startVirtualThread(() -> write(store, round, writer));
        }
        for (Thread writer : writers) {
            writer.join();
        }
    }

    private static void write(Store store, int round, int writer) {
        Random random = new Random(round * 1_000L + writer);
        for (int i = 0; ; i++) {
            String key = "/" + round + "/" + writer + "/" + i;
            long seed = random.nextLong();
            if (i % 4 == 0) {
                CommitResult first = store.commitAll(java.util.List.of(
                                new Change.Create(key + "/left", value(seed)),
                                new Change.Create(key + "/right", value(seed))))
                        .getFirst();
                print("pair", key, first, seed);
            } else {
                print("created", key, store.commit(new Change.Create(key, value(seed))), seed);
            }
        }
    }

    static byte[] value(long seed) {
        Random random = new Random(seed);
        byte[] value = new byte[random.nextInt(VALUE_BYTES_MAX)];
        random.nextBytes(value);
        return value;
    }

    private static void print(String what, String key, CommitResult result, long seed) {
        if (!(result instanceof CommitResult.Committed(Store.Entry entry))) {
            throw new AssertionError(result);
        }
        byte[] line = (what + " " + key + " " + entry.modRevision() + " " + seed + "\n").getBytes(UTF_8);
        PrintStream out = System.out;
        synchronized (out) {
            out.write(line, 0, line.length);
            out.flush();
        }
    }
}
