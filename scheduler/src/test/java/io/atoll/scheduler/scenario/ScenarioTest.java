package io.atoll.scheduler.scenario;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The rows below {@code scenarios/}, one test a row; see the README there for what a row says. */
class ScenarioTest {
    private static final List<String> DIRECTORIES =
            List.of("allocate", "consolidation", "reclaim", "preempt", "stalegangeviction", "integration");

    @TestFactory
    Stream<DynamicTest> rowsAreConsistent() {
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.toString(),
                        () -> assertThat(ScenarioCheck.errors(row)).isEmpty()));
    }

    @Test
    void namesAreUnique() {
        Set<String> names = new HashSet<>();
        assertThat(rows().stream().map(Scenario::name).filter(name -> !names.add(name)))
                .isEmpty();
    }

    @Test
    void everyRuleHasRows() {
        Set<String> rules = new HashSet<>();
        rows().forEach(row -> rules.add(row.rule()));
        assertThat(rules).contains("2.1", "2.2", "2.3", "2.4", "2.5");
    }

    @Test
    void unknownFieldIsNamedWithFileAndRow() {
        assertThatThrownBy(() -> read("[{'name':'a row','rule':'2.1','Jobs':[{'Name':'j','QueueName':'q','Gpus':1}]}]"))
                .hasMessage("file.json: a row: Jobs[0]: unknown field Gpus");
    }

    @Test
    void overcommittedNodeIsFound() {
        List<Scenario> rows = read("[{'name':'a row','rule':'2.1','Nodes':{'n':{'GPUs':1}},'Queues':[{'Name':'q'}],"
                + "'Jobs':[{'Name':'j','QueueName':'q','RequiredGPUsPerTask':2,"
                + "'Tasks':[{'State':'Running','NodeName':'n'}]}],'JobExpectedResults':{'j':{'Status':'Running'}}}]");
        assertThat(ScenarioCheck.errors(rows.getFirst()))
                .contains("initial: too many GPUs of n", "settled: more GPUs than there are");
    }

    @Test
    void queueAboveItsLimitIsFound() {
        List<Scenario> rows = read("[{'name':'a row','rule':'2.1','Nodes':{'n':{'GPUs':2}},"
                + "'Queues':[{'Name':'q','MaxAllowedGPUs':1}],"
                + "'Jobs':[{'Name':'j','QueueName':'q','RequiredGPUsPerTask':2,'Tasks':[{'State':'Pending'}]}],"
                + "'JobExpectedResults':{'j':{'Status':'Binding'}}}]");
        assertThat(ScenarioCheck.errors(rows.getFirst())).contains("settled: queue q is above its limit of GPUs");
    }

    private static List<Scenario> read(String json) {
        return ScenarioReader.read(
                "allocate", "file.json", json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static List<Scenario> rows() {
        List<Scenario> rows = new ArrayList<>();
        try {
            for (String directory : DIRECTORIES) {
                URL folder = Objects.requireNonNull(ScenarioTest.class.getResource("/scenarios/" + directory));
                try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
                    for (Path file : files.sorted().toList()) {
                        rows.addAll(ScenarioReader.read(
                                directory, directory + "/" + file.getFileName(), Files.readAllBytes(file)));
                    }
                }
            }
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
        return rows;
    }
}
