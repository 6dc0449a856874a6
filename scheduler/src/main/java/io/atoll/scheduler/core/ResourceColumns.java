package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the resource names of a cluster: the columns of the packed arrays. Only grows. */
final class ResourceColumns {
    static final int CPU = 0;
    static final int MEMORY = 1;
    static final int EPHEMERAL_STORAGE = 2;
    static final int PODS = 3;
    static final int GPU = 4;

    private final Map<String, Integer> columns = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    ResourceColumns() {
        of("cpu");
        of("memory");
        of("ephemeral-storage");
        of("pods");
        of(NodeSpec.GPU);
    }

    int of(String name) {
        return columns.computeIfAbsent(name, added -> {
            names.add(added);
            return names.size() - 1;
        });
    }

    String name(int column) {
        return names.get(column);
    }

    int count() {
        return names.size();
    }

    /** Whether a resource is what costly nodes are bought for. */
    static boolean isAccelerator(String name) {
        return name.endsWith("/gpu") || name.endsWith("/gpu.shared") || name.endsWith("/tpu") || name.contains("/mig-");
    }
}
