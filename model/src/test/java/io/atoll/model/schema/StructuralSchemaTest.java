package io.atoll.model.schema;

import io.atoll.model.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class StructuralSchemaTest {
    /** A schema and its mistakes as {@code field: message}, with {@code s} as the schema's own path. */
    static Stream<Arguments> rows() {
        return Stream.of(
                row("{'type':'object','x-kubernetes-preserve-unknown-fields':true}"),
                row("{}", "s.type: Required value: must not be empty at the root"),
                row(
                        "{'type':'array','items':{'type':'string'}}",
                        "s.type: Invalid value: 'array': must be object at the root"),
                row(
                        "{'type':'object','properties':{'a':{}}}",
                        "s.properties[a].type: Required value: must not be empty for specified object fields"),
                row(
                        "{'type':'object','properties':{'a':{'type':'array'}}}",
                        "s.properties[a].items: Required value: must be specified"),
                row(
                        "{'type':'object','properties':{'a':{'type':'array','items':{}}}}",
                        "s.properties[a].items.type: Required value: must not be empty for specified array items"),
                row(
                        "{'type':'object','properties':{'a':{'type':'text'}}}",
                        "s.properties[a].type: Unsupported value: 'text': supported values: 'array', 'boolean', 'integer', 'number', 'object', 'string'"),
                row(
                        "{'type':'object','additionalProperties':{'type':'string'}}",
                        "s.additionalProperties: Forbidden: must not be used at the root"),
                row(
                        "{'type':'object','properties':{'a':{'type':'object','properties':{'b':{'type':'string'}},'additionalProperties':{'type':'string'}}}}",
                        "s.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive"),
                row(
                        "{'type':'object','properties':{'a':{'$ref':'#/b','type':'string'}}}",
                        "s.properties[a].$ref: Forbidden: $ref is not supported"),
                row(
                        "{'type':'object','properties':{'a':{'type':'array','uniqueItems':true,'items':{'type':'string'}}}}",
                        "s.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic"),
                row(
                        "{'type':'object','properties':{'metadata':{'type':'object','properties':{'labels':{'type':'object'}}}}}",
                        "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified"),
                row("{'type':'object','properties':{'metadata':{'type':'object'}}}"),
                row(
                        "{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]}}}"),
                row(
                        "{'type':'object','properties':{'a':{'type':'string','anyOf':[{'type':'string'}]}}}",
                        "s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural"),
                row(
                        "{'type':'object','properties':{'a':{'type':'string'}},'oneOf':[{'properties':{'b':{'minLength':1}}}]}",
                        "s.properties[b]: Required value: because it is defined in s.oneOf[0].properties[b]"),
                row(
                        "{'type':'object','properties':{'a':{'type':'string','x-kubernetes-preserve-unknown-fields':false}}}",
                        "s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"),
                row(
                        "{'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','items':{'type':'object'}}}}",
                        "s.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map"),
                row(
                        "{'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object','properties':{'k':{'type':'string'}}}}}}",
                        "s.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"),
                row(
                        "{'type':'object','properties':{'a':{'type':'string','pattern':'('}}}",
                        "s.properties[a].pattern: Invalid value: '(': must be a valid regular expression, but isn't: error parsing regexp: Unclosed group"),
                row(
                        "{'type':'object','properties':{'a':{'type':'integer','default':'x'}}}",
                        "s.properties[a].default: Invalid value: 'string':  in body must be of type integer: 'string'"),
                row(
                        "{'type':'object','properties':{'a':{'type':'object','default':{'b':1},'properties':{'c':{'type':'string'}}}}}",
                        "s.properties[a].default: Invalid value: {'b':1}: must not have unknown fields"));
    }

    private static Arguments row(String schema, String... mistakes) {
        return Arguments.of(
                schema.replace('\'', '"'),
                Stream.of(mistakes)
                        .map(text -> text.replace("isn't", "isn`t")
                                .replace('\'', '"')
                                .replace('`', '\''))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void rules(String schema, List<String> mistakes) {
        assertThat(StructuralSchema.check(Json.parse(schema), "s").stream()
                        .map(cause -> cause.field() + ": " + cause.message()))
                .containsExactlyElementsOf(mistakes);
    }

    @Test
    void defaultsAndPrunesCustomResources() {
        Schema schema = StructuralSchema.parse(Json.parse("""
                {"type":"object","properties":{
                  "spec":{"type":"object","properties":{
                    "replicas":{"type":"integer","default":1},
                    "mode":{"type":"string","nullable":true,"default":"a"},
                    "plain":{"type":"string"},
                    "nested":{"type":"object","default":{},"properties":{"deep":{"type":"boolean","default":true}}},
                    "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
                    "open":{"type":"object","additionalProperties":true},
                    "items":{"type":"array","items":{"type":"object","properties":{"p":{"type":"string","default":"TCP"}}}}}}}}
                """));
        ObjectNode tree = Json.parse("""
                {"apiVersion":"a.b/v1","kind":"C","metadata":{"name":"n","labels":{"x":"y"}},
                 "spec":{"replicas":null,"mode":null,"plain":null,"foo":1,"any":{"x":1},"open":{"y":{"z":1}},
                         "items":[{"bar":1},{"p":"UDP"}]},"extra":{}}
                """);
        assertThat(Pruning.prune(schema, tree)).containsExactly("spec.foo", "spec.items[0].bar", "extra");
        Defaults.apply(schema, tree);
        assertThat(tree).isEqualTo(Json.parse("""
                                {"apiVersion":"a.b/v1","kind":"C","metadata":{"name":"n","labels":{"x":"y"}},
                                 "spec":{"replicas":1,"mode":null,"plain":null,"any":{"x":1},"open":{"y":{"z":1}},
                                         "items":[{"p":"TCP"},{"p":"UDP"}],"nested":{"deep":true}}}
                                """));
    }

    @Test
    void keepsCelRulesAsData() {
        Schema schema = StructuralSchema.parse(Json.parse(
                "{\"type\":\"object\",\"x-kubernetes-validations\":[{\"rule\":\"self.a > 1\",\"message\":\"no\"}]}"));
        assertThat(schema.validation().celRules())
                .singleElement()
                .hasToString("{\"rule\":\"self.a > 1\",\"message\":\"no\"}");
    }
}
