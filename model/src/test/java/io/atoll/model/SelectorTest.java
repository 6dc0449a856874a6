package io.atoll.model;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.MissingNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SelectorTest {
    private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "front", "weight", "7", "empty", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                      | true",
                "app=web               | true",
                "app==web              | true",
                "app = web             | true",
                "app=db                | false",
                "app!=db               | true",
                "other!=db             | true",
                "app in (db, web)      | true",
                "app notin (db,web)    | false",
                "other notin (x)       | true",
                "app                   | true",
                "!app                  | false",
                "!other                | true",
                "empty=                | true",
                "weight>6              | true",
                "weight<7              | false",
                "app>1                 | false",
                "app=web,tier=front    | true",
                "app=web,tier=back     | false",
                "in=1                  | false",
                "example.com/in notin (a),app in (web) | true",
            })
    void selectsLabels(String text, boolean matches) {
        LabelSelector selector = LabelSelector.parse(text == null ? "" : text);
        assertThat(selector.matches(LABELS)).isEqualTo(matches);
        assertThat(LabelSelector.parse(selector.toString()).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"app=web,", "=web", "app in web", "app in (a", "a b", "app>x", "x/y/z=1", "a=b c", "a=-"})
    void refusesBadLabelSelectors(String text) {
        assertThatThrownBy(() -> LabelSelector.parse(text))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("unable to parse requirement: ");
    }

    @Test
    void readsSelectorFields() {
        LabelSelector selector = LabelSelector.of(Json.parse("""
                {"matchLabels":{"app":"web"},"matchExpressions":[{"key":"tier","operator":"In","values":["a","front"]}]}
                """));
        assertThat(selector.matches(LABELS)).isTrue();
        assertThat(selector).hasToString("app=web,tier in (a,front)");
        assertThat(LabelSelector.of(MissingNode.getInstance()).matches(LABELS)).isFalse();
        assertThat(LabelSelector.of(Json.object()).matches(LABELS)).isTrue();
        assertThatThrownBy(() ->
                        LabelSelector.of(Json.parse("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Is\"}]}")))
                .hasMessage("\"Is\" is not a valid label selector operator");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=a                      | true",
                "metadata.name==a                     | true",
                "metadata.name!=a                     | false",
                "metadata.name=a,status.phase!=Failed | true",
                "status.phase=                        | true",
            })
    void selectsFields(String text, boolean matches) {
        FieldSelector selector = FieldSelector.parse(text);
        assertThat(selector.matches(field -> field.equals("metadata.name") ? "a" : ""))
                .isEqualTo(matches);
    }

    @Test
    void fieldValuesMayBeEscaped() {
        FieldSelector selector = FieldSelector.parse("a=x\\,y\\=z\\\\");
        assertThat(selector.requirements()).containsExactly(new FieldSelector.Requirement("a", true, "x,y=z\\"));
        assertThat(selector).hasToString("a=x\\,y\\=z\\\\");
        assertThatThrownBy(() -> FieldSelector.parse("abc"))
                .hasMessage("invalid selector: 'abc'; can't understand 'abc'");
    }
}
