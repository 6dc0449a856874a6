package io.atoll.scheduler.core.queue;

/**
 * A mutable amount of the three resources that queues share out: GPUs in millionths of a GPU, CPU in thousandths of a
 * core, memory in bytes. In quotas and limits {@link #UNLIMITED} stands for no bound. One thread at a time; not
 * synchronised.
 */
public final class ResourceVector {
    public static final int GPU = 0;
    public static final int CPU = 1;
    public static final int MEMORY = 2;

    /** How many resources there are; indexes run from 0. */
    public static final int COUNT = 3;

    /** No bound, in a quota or a limit. */
    public static final long UNLIMITED = -1;

    /** One whole GPU. */
    public static final long ONE_GPU = 1_000_000;

    public long gpu;
    public long cpu;
    public long memory;

    public ResourceVector() {}

    public ResourceVector(long gpu, long cpu, long memory) {
        this.gpu = gpu;
        this.cpu = cpu;
        this.memory = memory;
    }

    /** A vector with the same amount of each resource, for bounds such as {@link #UNLIMITED}. */
    public static ResourceVector all(long amount) {
        return new ResourceVector(amount, amount, amount);
    }

    /** Whole GPUs and nothing else. */
    public static ResourceVector ofGpus(long gpus) {
        return new ResourceVector(gpus * ONE_GPU, 0, 0);
    }

    public long get(int resource) {
        return switch (resource) {
            case GPU -> gpu;
            case CPU -> cpu;
            case MEMORY -> memory;
            default -> throw new IllegalArgumentException("no resource " + resource);
        };
    }

    public void set(int resource, long amount) {
        switch (resource) {
            case GPU -> gpu = amount;
            case CPU -> cpu = amount;
            case MEMORY -> memory = amount;
            default -> throw new IllegalArgumentException("no resource " + resource);
        }
    }

    public void set(ResourceVector other) {
        gpu = other.gpu;
        cpu = other.cpu;
        memory = other.memory;
    }

    public void add(ResourceVector other) {
        gpu += other.gpu;
        cpu += other.cpu;
        memory += other.memory;
    }

    public void subtract(ResourceVector other) {
        gpu -= other.gpu;
        cpu -= other.cpu;
        memory -= other.memory;
    }

    public void clear() {
        gpu = 0;
        cpu = 0;
        memory = 0;
    }

    public ResourceVector copy() {
        return new ResourceVector(gpu, cpu, memory);
    }

    public boolean isZero() {
        return gpu == 0 && cpu == 0 && memory == 0;
    }

    /** Whether no amount exceeds the bound's; unlimited is larger than every amount, on both sides. */
    public boolean lessOrEqual(ResourceVector bound) {
        return lessOrEqual(gpu, bound.gpu) && lessOrEqual(cpu, bound.cpu) && lessOrEqual(memory, bound.memory);
    }

    /** Whether an amount is within a bound; unlimited is larger than every amount, on both sides. */
    public static boolean lessOrEqual(long amount, long bound) {
        return bound == UNLIMITED || (amount != UNLIMITED && amount <= bound);
    }

    /** The smaller of two amounts, unlimited being larger than every other. */
    public static long smaller(long left, long right) {
        return lessOrEqual(left, right) ? left : right;
    }

    /** The larger of two amounts, unlimited being larger than every other. */
    public static long larger(long left, long right) {
        return lessOrEqual(left, right) ? right : left;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResourceVector vector
                && gpu == vector.gpu
                && cpu == vector.cpu
                && memory == vector.memory;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(gpu) * 961 + Long.hashCode(cpu) * 31 + Long.hashCode(memory);
    }

    /** As in messages: {@code 2 GPUs, 1.5 CPU cores, 4 GB of memory}. */
    @Override
    public String toString() {
        return ResourceText.amount(GPU, gpu) + ", " + ResourceText.amount(CPU, cpu) + ", "
                + ResourceText.amount(MEMORY, memory);
    }
}
