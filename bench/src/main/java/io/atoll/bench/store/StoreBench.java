package io.atoll.bench.store;

import io.atoll.store.Store;
import io.atoll.store.Store.Change;
import io.atoll.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Measures durable commits a second, and what an open store costs.
 *
 * <p>Arguments: a folder on the disk to measure, and optionally the number of stores to open.
 */
public final class StoreBench {
    private static final int VALUE_BYTES = 1_024;
    private static final long WARM_UP_NANOS = 1_000_000_000L;
    private static final long MEASURE_NANOS = 2_000_000_000L;
    private static final int[] WRITERS = {1, 16, 64};
    private static final int OBJECTS_OF_A_TENANT = 200;

    private StoreBench() {}

    public static void main(String[] args) throws Exception {
        Path folder = Files.createDirectories(Path.of(args[0]));
        int stores = args.length > 1 ? Integer.parseInt(args[1]) : 500;
        System.out.printf("%-10s %12s %10s %10s%n", "writers", "commits/s", "p50 ms", "p99 ms");
        for (int writers : WRITERS) {
            commits(folder.resolve("commits-" + writers + ".db"), writers);
        }
        System.out.println();
        System.out.printf("%-34s %12s %14s %12s%n", "open stores", "ms a store", "resident KiB", "of it heap");
        memory(folder, stores);
    }

    private static void commits(Path file, int writers) throws IOException, InterruptedException {
        delete(file);
        List<long[]> latencies = new ArrayList<>();
        try (Store store = SqliteStore.open(file)) {
            run(store, "/warm-up/", writers, WARM_UP_NANOS);
            latencies.addAll(run(store, "/measured/", writers, MEASURE_NANOS));
        }
        long[] all = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        System.out.printf(
                "%-10d %,12.0f %10.2f %10.2f%n",
                writers,
                all.length / (MEASURE_NANOS / 1e9),
                all[all.length / 2] / 1e6,
                all[all.length * 99 / 100] / 1e6);
        delete(file);
    }

    private static List<long[]> run(Store store, String prefix, int writers, long nanos) throws InterruptedException {
        List<long[]> latencies = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        long end = System.nanoTime() + nanos;
        for (int i = 0; i < writers; i++) {
            int writer = i;
            threads.add(Thread.startVirtualThread(() -> {
                long[] own = write(store, prefix + writer + "/", end);
                synchronized (latencies) {
                    latencies.add(own);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return latencies;
    }

    private static long[] write(Store store, String prefix, long end) {
        byte[] value = new byte[VALUE_BYTES];
        new Random(prefix.hashCode()).nextBytes(value);
        long[] latencies = new long[1_024];
        int done = 0;
        for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
            store.commit(new Change.Create(prefix + done, value.clone()));
            if (done == latencies.length) {
                latencies = Arrays.copyOf(latencies, done * 2);
            }
            latencies[done++] = System.nanoTime() - start;
        }
        return Arrays.copyOf(latencies, done);
    }

    private static void memory(Path folder, int count) throws IOException {
        List<Change> objects = new ArrayList<>();
        for (int i = 0; i < OBJECTS_OF_A_TENANT; i++) {
            byte[] value = new byte[VALUE_BYTES];
            new Random(i).nextBytes(value);
            objects.add(new Change.Create("/registry/core/configmaps/default/object-" + i, value));
        }
        List<Change> copies = objects;
        memoryRow("after 200 objects of 1 KiB", folder, count, copies);
        memoryRow("opened again with them", folder, count, List.of());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                delete(file);
            }
        }
    }

    private static void memoryRow(String what, Path folder, int count, List<Change> objects) throws IOException {
        long residentBefore = residentKib();
        long heapBefore = heapKib();
        List<Store> open = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Store store = SqliteStore.open(folder.resolve("tenant-" + i + ".db"));
            open.add(store);
            // values of its own, as each tenant has
            store.commitAll(objects.stream().map(StoreBench::copy).toList());
        }
        double millis = (System.nanoTime() - start) / 1e6;
        long heap = heapKib() - heapBefore;
        long resident = residentKib() - residentBefore;
        System.out.printf(
                "%-34s %12.2f %14.0f %12.0f%n",
                count + ", " + what, millis / count, (double) resident / count, (double) heap / count);
        open.forEach(Store::close);
    }

    private static Change copy(Change change) {
        return change instanceof Change.Create(String key, byte[] value)
                ? new Change.Create(key, value.clone())
                : change;
    }

    private static long heapKib() {
        System.gc();
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1_024;
    }

    private static long residentKib() throws IOException {
        System.gc();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        }
    }

    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-wal"));
    }
}
