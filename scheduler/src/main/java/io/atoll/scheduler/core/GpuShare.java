package io.atoll.scheduler.core;

/**
 * The part of one or several GPUs that a pod asks for. Immutable.
 *
 * @param portion of each device in millionths; 0 when memory is asked for instead
 * @param memoryMebibytes of each device; 0 when a portion is asked for
 * @param devices how many devices to have that much of; 0 when the pod shares no GPU
 */
public record GpuShare(long portion, long memoryMebibytes, int devices) {
    /** One whole GPU, in the unit of portions. */
    public static final long WHOLE = 1_000_000;

    public static final GpuShare NONE = new GpuShare(0, 0, 0);

    public boolean isNone() {
        return devices == 0;
    }

    /** The portion of each device on a node; above {@link #WHOLE} when no GPU of the node has so much memory. */
    public long portionOn(NodeSpec node) {
        return portionOf(node.gpuMemoryMebibytes());
    }

    /** The portion of a device with so much memory, rounded up so that a GPU is never promised beyond its memory. */
    public long portionOf(long gpuMemoryMebibytes) {
        if (memoryMebibytes == 0) {
            return portion;
        }
        return gpuMemoryMebibytes <= 0
                ? WHOLE + 1
                : Math.ceilDiv(Math.multiplyExact(memoryMebibytes, WHOLE), gpuMemoryMebibytes);
    }
}
