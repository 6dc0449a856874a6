package io.atoll.node.gpu;

import io.atoll.node.gpu.DeviceLedger.Demand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DeviceLedgerTest {
    @TempDir
    Path dir;

    @Test
    void noDeviceIsHeldTwiceAndInitContainersShare() {
        DeviceLedger ledger = new DeviceLedger(List.of("0", "1", "2", "3"));
        Map<String, List<String>> first = ledger.grant("a", new Demand(Map.of("init", 2), Map.of("x", 1, "y", 1)))
                .orElseThrow();
        assertThat(first.get("x")).doesNotContainAnyElementsOf(first.get("y"));
        assertThat(first.get("init")).containsExactlyInAnyOrder("0", "1");
        assertThat(ledger.free()).containsExactly("2", "3");
        assertThat(ledger.grant("b", new Demand(Map.of(), Map.of("x", 3)))).isEmpty();
        assertThat(ledger.grant("b", new Demand(Map.of(), Map.of("x", 2)))).isPresent();
        assertThat(ledger.grant("a", new Demand(Map.of(), Map.of("x", 1)))).contains(first);
        ledger.release("a");
        assertThat(ledger.free()).containsExactly("0", "1");
    }

    @Test
    void grantsAreKnownAfterARestart() {
        Path file = dir.resolve("devices.json");
        DeviceLedger ledger = new DeviceLedger(List.of("0", "1"), file);
        Map<String, List<String>> granted =
                ledger.grant("a", new Demand(Map.of(), Map.of("x", 1))).orElseThrow();
        DeviceLedger after = new DeviceLedger(List.of("0", "1"), file);
        assertThat(after.holders()).containsExactly("a");
        assertThat(after.grant("a", new Demand(Map.of(), Map.of("x", 1)))).contains(granted);
        assertThat(after.free()).hasSize(1);
    }
}
