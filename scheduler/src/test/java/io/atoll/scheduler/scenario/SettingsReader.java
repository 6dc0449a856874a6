package io.atoll.scheduler.scenario;

import io.atoll.scheduler.scenario.Scenario.Settings;
import java.util.Map;

/** Reads a row's {@code Settings}: what an operator may set, each with the scheduler's default. */
final class SettingsReader {
    private static final int PREEMPTEES_DEFAULT = -1;
    private static final double GRACE_DEFAULT = 60;

    private SettingsReader() {}

    static Settings read(Fields row) {
        return row.object("Settings", SettingsReader::settings).orElseGet(SettingsReader::defaults);
    }

    private static Settings settings(Fields given) {
        Settings defaults = defaults();
        return new Settings(
                given.whole("MaxConsolidationPreemptees", defaults.consolidationPreempteesMax()),
                given.flag("AllowConsolidatingReclaim", defaults.consolidatingReclaim()),
                given.number("KValue", defaults.kValue()),
                given.text("GPUPlacement", defaults.gpuPlacement()),
                given.text("CPUPlacement", defaults.cpuPlacement()),
                given.countMap("QueueDepthPerAction"),
                given.number("DefaultPreemptMinRuntime", defaults.preemptMinRuntime()),
                given.number("DefaultReclaimMinRuntime", defaults.reclaimMinRuntime()),
                given.text("ReclaimResolveMethod", defaults.reclaimResolveMethod()),
                given.number("DefaultStalenessGracePeriod", defaults.stalenessGrace()),
                given.number("ReclaimerSaturationMultiplier", defaults.saturationMultiplier()),
                given.flag("FullHierarchyFairness", defaults.fullHierarchyFairness()));
    }

    private static Settings defaults() {
        return new Settings(
                PREEMPTEES_DEFAULT, true, 0, "binpack", "binpack", Map.of(), 0, 0, "lca", GRACE_DEFAULT, 1, true);
    }
}
