package io.atoll.node.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

/** NVML's functions as native code would call them, of a driver with two GPUs: the second knows no utilisation. */
final class FakeDriver implements SymbolLookup {
    private static final int SUCCESS = 0;
    private static final int NOT_SUPPORTED = 3;
    private static final long WIDE = 96;

    private final Arena arena = Arena.ofAuto();

    @Override
    @SuppressWarnings("restricted") // native access is granted on the command line
    public Optional<MemorySegment> find(String name) {
        return Arrays.stream(FakeDriver.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .map(method -> Linker.nativeLinker().upcallStub(handle(method), descriptor(method), arena));
    }

    private MethodHandle handle(Method method) {
        try {
            return MethodHandles.lookup().unreflect(method).bindTo(this);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static FunctionDescriptor descriptor(Method method) {
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        return FunctionDescriptor.of(
                layout(type.returnType()),
                type.parameterList().stream().map(FakeDriver::layout).toArray(java.lang.foreign.MemoryLayout[]::new));
    }

    private static java.lang.foreign.MemoryLayout layout(Class<?> type) {
        return type == int.class ? ValueLayout.JAVA_INT : ValueLayout.ADDRESS;
    }

    int nvmlInit_v2() {
        return SUCCESS;
    }

    int nvmlShutdown() {
        return SUCCESS;
    }

    int nvmlDeviceGetCount_v2(MemorySegment count) {
        wide(count).set(ValueLayout.JAVA_INT, 0, 2);
        return SUCCESS;
    }

    /** A device's handle is its index and one, as an address that nobody reads. */
    int nvmlDeviceGetHandleByIndex_v2(int index, MemorySegment device) {
        wide(device).set(ValueLayout.ADDRESS, 0, MemorySegment.ofAddress(index + 1L));
        return SUCCESS;
    }

    int nvmlDeviceGetUUID(MemorySegment device, MemorySegment text, int size) {
        wide(text).setString(0, "GPU-" + (device.address() - 1));
        return SUCCESS;
    }

    int nvmlDeviceGetName(MemorySegment device, MemorySegment text, int size) {
        wide(text).setString(0, "NVIDIA H200");
        return SUCCESS;
    }

    int nvmlDeviceGetMemoryInfo(MemorySegment device, MemorySegment bytes) {
        long[] mebibytes = {143771, 143000, 771};
        for (int i = 0; i < mebibytes.length; i++) {
            wide(bytes).setAtIndex(ValueLayout.JAVA_LONG, i, mebibytes[i] << 20);
        }
        return SUCCESS;
    }

    int nvmlDeviceGetUtilizationRates(MemorySegment device, MemorySegment rates) {
        wide(rates).setAtIndex(ValueLayout.JAVA_INT, 0, 42);
        wide(rates).setAtIndex(ValueLayout.JAVA_INT, 1, 7);
        return device.address() == 2 ? NOT_SUPPORTED : SUCCESS;
    }

    int nvmlDeviceGetCudaComputeCapability(MemorySegment device, MemorySegment major, MemorySegment minor) {
        wide(major).set(ValueLayout.JAVA_INT, 0, 9);
        wide(minor).set(ValueLayout.JAVA_INT, 0, 0);
        return SUCCESS;
    }

    int nvmlSystemGetDriverVersion(MemorySegment text, int size) {
        wide(text).setString(0, "570.172.08");
        return SUCCESS;
    }

    int nvmlSystemGetCudaDriverVersion_v2(MemorySegment version) {
        wide(version).set(ValueLayout.JAVA_INT, 0, 12080);
        return SUCCESS;
    }

    MemorySegment nvmlErrorString(int code) {
        return arena.allocateFrom("error " + code);
    }

    /** What came as a pointer has no size of its own. */
    @SuppressWarnings("restricted") // the caller's buffers are larger than what is written
    private static MemorySegment wide(MemorySegment pointer) {
        return pointer.reinterpret(WIDE);
    }
}
