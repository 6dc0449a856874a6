package io.atoll.model.pod;

import io.atoll.model.Yaml;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PodContainersTest {
    private static final ObjectNode TWO = Yaml.parse("""
            metadata: {name: web}
            spec:
              initContainers: [{name: prepare}]
              containers: [{name: main}, {name: proxy}]
              ephemeralContainers: [{name: debug}]
            """);

    @Test
    void theNamedOneOfAnySort() {
        for (String name : new String[] {"prepare", "main", "proxy", "debug"}) {
            assertThat(PodContainers.meant(TWO, name)).isEqualTo(name);
        }
        assertThatThrownBy(() -> PodContainers.meant(TWO, "other"))
                .hasMessage("container other is not valid for pod web");
    }

    @Test
    void withoutANameTheMarkedOneOrTheOnlyOne() {
        assertThatThrownBy(() -> PodContainers.meant(TWO, ""))
                .hasMessage("a container name must be specified for pod web, choose one of: [main proxy] or one of the"
                        + " init containers: [prepare]");
        ObjectNode marked = TWO.deepCopy();
        marked.withObject("/metadata/annotations").put("kubectl.kubernetes.io/default-container", "proxy");
        assertThat(PodContainers.meant(marked, "")).isEqualTo("proxy");
        assertThat(PodContainers.meant(Yaml.parse("spec: {containers: [{name: one}]}"), ""))
                .isEqualTo("one");
    }
}
