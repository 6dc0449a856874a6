package io.atoll.node.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * NVIDIA's management library, loaded from the driver. Any thread.
 *
 * <p>A machine without it is a value ({@link Absent}), not a failure.
 */
public final class Nvml implements AutoCloseable {
    private static final String LIBRARY = "libnvidia-ml.so.1";
    private static final int SUCCESS = 0;
    private static final int TEXT_BYTES_MAX = 96;

    private final MethodHandle shutdown;
    private final MethodHandle deviceCount;
    private final MethodHandle deviceByIndex;
    private final MethodHandle uuid;
    private final MethodHandle name;
    private final MethodHandle memory;
    private final MethodHandle utilization;
    private final MethodHandle computeCapability;
    private final MethodHandle driverVersion;
    private final MethodHandle cudaDriverVersion;
    private final MethodHandle errorString;

    /** What opening the library came to. */
    public sealed interface Opened {}

    /** It is there. */
    public record Present(Nvml nvml) implements Opened {}

    /** There is no driver, or it does not answer. */
    public record Absent(String why) implements Opened {}

    /** One GPU as it is now. Memory in MiB; utilisation in percent of time, zero where the GPU does not tell. */
    public record Device(
            int index,
            String uuid,
            String name,
            long memoryMib,
            long memoryUsedMib,
            int gpuUtilization,
            int memoryUtilization,
            int computeMajor,
            int computeMinor) {}

    private Nvml(SymbolLookup library) {
        this.shutdown = handle(library, "nvmlShutdown", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        FunctionDescriptor outOnly = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        FunctionDescriptor deviceAndOut =
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        FunctionDescriptor deviceText = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        this.deviceCount = handle(library, "nvmlDeviceGetCount_v2", outOnly);
        this.deviceByIndex = handle(
                library,
                "nvmlDeviceGetHandleByIndex_v2",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        this.uuid = handle(library, "nvmlDeviceGetUUID", deviceText);
        this.name = handle(library, "nvmlDeviceGetName", deviceText);
        this.memory = handle(library, "nvmlDeviceGetMemoryInfo", deviceAndOut);
        this.utilization = handle(library, "nvmlDeviceGetUtilizationRates", deviceAndOut);
        this.computeCapability = handle(
                library,
                "nvmlDeviceGetCudaComputeCapability",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        this.driverVersion = handle(
                library,
                "nvmlSystemGetDriverVersion",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        this.cudaDriverVersion = handle(library, "nvmlSystemGetCudaDriverVersion_v2", outOnly);
        this.errorString =
                handle(library, "nvmlErrorString", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    /** Opens the library of this machine's driver. */
    public static Opened open() {
        return open(LIBRARY);
    }

    /** Opens a library by name or path. */
    @SuppressWarnings("restricted") // native access is granted on the command line
    static Opened open(String library) {
        try {
            // Unloaded when the last handle into it is unreachable.
            return open(SymbolLookup.libraryLookup(library, Arena.ofAuto()));
        } catch (IllegalArgumentException _) {
            return new Absent("no NVIDIA driver: " + library + " is not on this machine");
        }
    }

    /** Opens what has NVML's functions under their names. */
    static Opened open(SymbolLookup symbols) {
        try {
            Nvml nvml = new Nvml(symbols);
            MethodHandle init = handle(symbols, "nvmlInit_v2", FunctionDescriptor.of(ValueLayout.JAVA_INT));
            int result = (int) init.invokeExact();
            if (result != SUCCESS) {
                String why = nvml.error(result);
                return new Absent("the NVIDIA driver does not answer: " + why);
            }
            return new Present(nvml);
        } catch (java.util.NoSuchElementException e) {
            return new Absent("the NVIDIA driver is too old: " + e.getMessage());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The GPUs, by index. One that fails to answer what it is and how much memory it has is left out. */
    public List<Device> devices() {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment count = call.allocate(ValueLayout.JAVA_INT);
            check((int) deviceCount.invokeExact(count));
            List<Device> devices = new ArrayList<>();
            for (int index = 0; index < count.get(ValueLayout.JAVA_INT, 0); index++) {
                device(index).ifPresent(devices::add);
            }
            return devices;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private Optional<Device> device(int index) throws Throwable {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment slot = call.allocate(ValueLayout.ADDRESS);
            if ((int) deviceByIndex.invokeExact(index, slot) != SUCCESS) {
                return Optional.empty();
            }
            MemorySegment device = slot.get(ValueLayout.ADDRESS, 0);
            MemorySegment text = call.allocate(TEXT_BYTES_MAX);
            if ((int) uuid.invokeExact(device, text, TEXT_BYTES_MAX) != SUCCESS) {
                return Optional.empty();
            }
            String id = text.getString(0);
            if ((int) name.invokeExact(device, text, TEXT_BYTES_MAX) != SUCCESS) {
                return Optional.empty();
            }
            String product = text.getString(0);
            // total, free, used
            MemorySegment bytes = call.allocate(ValueLayout.JAVA_LONG, 3);
            if ((int) memory.invokeExact(device, bytes) != SUCCESS) {
                return Optional.empty();
            }
            MemorySegment rates = call.allocate(ValueLayout.JAVA_INT, 2);
            boolean rated = (int) utilization.invokeExact(device, rates) == SUCCESS;
            MemorySegment major = call.allocate(ValueLayout.JAVA_INT);
            MemorySegment minor = call.allocate(ValueLayout.JAVA_INT);
            boolean capable = (int) computeCapability.invokeExact(device, major, minor) == SUCCESS;
            return Optional.of(new Device(
                    index,
                    id,
                    product,
                    bytes.getAtIndex(ValueLayout.JAVA_LONG, 0) >> 20,
                    bytes.getAtIndex(ValueLayout.JAVA_LONG, 2) >> 20,
                    rated ? rates.getAtIndex(ValueLayout.JAVA_INT, 0) : 0,
                    rated ? rates.getAtIndex(ValueLayout.JAVA_INT, 1) : 0,
                    capable ? major.get(ValueLayout.JAVA_INT, 0) : 0,
                    capable ? minor.get(ValueLayout.JAVA_INT, 0) : 0));
        }
    }

    /** E.g. {@code 570.172.08}. */
    public String driverVersion() {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment text = call.allocate(TEXT_BYTES_MAX);
            check((int) driverVersion.invokeExact(text, TEXT_BYTES_MAX));
            return text.getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The newest CUDA version that the driver runs, e.g. {@code 12.8}. */
    public String cudaVersion() {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment number = call.allocate(ValueLayout.JAVA_INT);
            check((int) cudaDriverVersion.invokeExact(number));
            int version = number.get(ValueLayout.JAVA_INT, 0);
            return version / 1000 + "." + version % 1000 / 10;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public void close() {
        try {
            int ignored = (int) shutdown.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private void check(int result) {
        if (result != SUCCESS) {
            throw new IllegalStateException("NVML: " + error(result));
        }
    }

    @SuppressWarnings("restricted") // the library's constant text is read up to its end
    private String error(int result) {
        try {
            MemorySegment text = (MemorySegment) errorString.invokeExact(result);
            return text.reinterpret(1024).getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @SuppressWarnings("restricted") // native access is granted on the command line
    private static MethodHandle handle(SymbolLookup library, String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }

    private static IllegalStateException unexpected(Throwable e) {
        return e instanceof IllegalStateException known ? known : new IllegalStateException(e);
    }
}
