package io.atoll.scheduler.crd;

import io.atoll.model.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PodGroupReaderTest {
    @Test
    void everyField() {
        PodGroupSpec group = PodGroupReader.read(Yaml.parse("""
                metadata:
                  namespace: n
                  name: g
                  uid: u
                  creationTimestamp: "2026-01-02T03:04:05Z"
                  labels: {kai.scheduler/node-pool: a100}
                  annotations:
                    kai.scheduler/last-start-timestamp: "2026-01-02T03:05:00Z"
                    kai.scheduler/stale-podgroup-timestamp: "2026-01-02T03:06:00+01:00"
                    atoll.dev/staleness-grace: 2m
                spec:
                  queue: team-a
                  minMember: 4
                  minSubGroup: 1
                  priorityClassName: build
                  preemptibility: non-preemptible
                  markUnschedulable: false
                  schedulingBackoff: 1
                  topologyConstraint: {topology: racks, requiredTopologyLevel: rack}
                  subGroups:
                  - {name: all, minSubGroup: 2}
                  - name: left
                    parent: all
                    minMember: 3
                    topologyConstraint: {topology: racks, preferredTopologyLevel: block}
                  - {name: right, parent: all}
                """));

        SubGroupSpec all = new SubGroupSpec("all", 1, Optional.of(2), "", Optional.empty());
        SubGroupSpec left =
                SubGroupSpec.of("left", 3).below("all").at(Optional.of(new TopologyConstraint("racks", "", "block")));
        SubGroupSpec right = SubGroupSpec.of("right", 1).below("all");
        assertThat(group)
                .isEqualTo(new PodGroupSpec(
                        "n",
                        "g",
                        "u",
                        Instant.parse("2026-01-02T03:04:05Z"),
                        "team-a",
                        4,
                        Optional.of(1),
                        "build",
                        Optional.of(Preemptibility.NON_PREEMPTIBLE),
                        "a100",
                        false,
                        true,
                        Optional.of(new TopologyConstraint("racks", "rack", "")),
                        List.of(all, left, right),
                        Optional.of(Instant.parse("2026-01-02T03:05:00Z")),
                        Optional.of(Instant.parse("2026-01-02T02:06:00Z")),
                        Optional.of(Duration.ofMinutes(2))));
        assertThat(group.leaves()).containsExactly(left, right);
        assertThat(group.below("")).containsExactly(all);
        assertThat(group.below("all")).containsExactly(left, right);
    }

    @Test
    void whatIsLeftOut() {
        PodGroupSpec group = PodGroupReader.read(Yaml.parse("{metadata: {name: g}, spec: {minMember: 0}}"));

        assertThat(group.minMember()).isEqualTo(1);
        assertThat(group.preemptibility()).isEmpty();
        assertThat(group.markUnschedulable()).isTrue();
        assertThat(group.triesOnce()).isFalse();
        assertThat(group.topology()).isEmpty();
        assertThat(group.stalenessGrace()).isEmpty();
        assertThat(group.leaves()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a tree         | [{name: a}, {name: b, parent: a}, {name: c, parent: b}] | []",
                "a name twice   | [{name: a}, {name: a}]              | [Repeated[index=1, name=a]]",
                "a parent lacks | [{name: a, parent: z}]              | [ParentMissing[index=0, name=a, parent=z]]",
                "its own parent | [{name: a, parent: a}]              | [Cycle[index=0, name=a]]",
                "a cycle of two | [{name: a, parent: b}, {name: b, parent: a}, {name: c, parent: a}]"
                        + " | [Cycle[index=0, name=a]]",
            })
    void subGroupsFormATree(String name, String subGroups, String mistakes) {
        List<SubGroups.Mistake> found =
                SubGroups.check(Yaml.parse("{list: " + subGroups + "}").path("list"));

        assertThat(found).as(name).hasToString(mistakes);
    }

    @Test
    void topologies() {
        assertThat(TopologyReader.read(
                        Yaml.parse("{metadata: {name: t}, spec: {levels: [{nodeLabel: zone}, {nodeLabel: rack}]}}")))
                .isEqualTo(new TopologyDefinition("t", List.of("zone", "rack")));
    }
}
