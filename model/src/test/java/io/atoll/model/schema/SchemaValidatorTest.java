package io.atoll.model.schema;

import io.atoll.model.Json;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages as a real kube-apiserver prints them for custom resources. */
class SchemaValidatorTest {
    /** The schema of field {@code spec.x}, its value, and the mistakes as {@code field: message}. */
    static Stream<Arguments> rows() {
        return Stream.of(
                row(
                        "{'type':'integer'}",
                        "'a'",
                        "spec.x: Invalid value: 'string': spec.x in body must be of type integer: 'string'"),
                row("{'type':'integer'}", "1.0"),
                row(
                        "{'type':'integer'}",
                        "1.5",
                        "spec.x: Invalid value: 'number': spec.x in body must be of type integer: 'number'"),
                row(
                        "{'type':'integer','format':'int32'}",
                        "1.5",
                        "spec.x: Invalid value: 'float64': spec.x in body must be of type int32: 'float64'"),
                row("{'type':'number'}", "3"),
                row(
                        "{'type':'string'}",
                        "null",
                        "spec.x: Invalid value: 'null': spec.x in body must be of type string: 'null'"),
                row("{'type':'string','nullable':true}", "null"),
                row(
                        "{'type':'boolean'}",
                        "'true'",
                        "spec.x: Invalid value: 'string': spec.x in body must be of type boolean: 'string'"),
                row("{'x-kubernetes-int-or-string':true}", "5"),
                row("{'x-kubernetes-int-or-string':true}", "'5%'"),
                row(
                        "{'x-kubernetes-int-or-string':true}",
                        "true",
                        "spec.x: Invalid value: 'boolean': spec.x in body must be of type integer,string: 'boolean'"),
                row(
                        "{'type':'string','enum':['a','b']}",
                        "'c'",
                        "spec.x: Unsupported value: 'c': supported values: 'a', 'b'"),
                row("{'type':'integer','enum':[1,2]}", "3", "spec.x: Unsupported value: 3: supported values: '1', '2'"),
                row(
                        "{'type':'integer','minimum':1}",
                        "0",
                        "spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1"),
                row(
                        "{'type':'integer','minimum':1,'exclusiveMinimum':true}",
                        "1",
                        "spec.x: Invalid value: 1: spec.x in body should be greater than 1"),
                row(
                        "{'type':'number','maximum':1.5}",
                        "2",
                        "spec.x: Invalid value: 2: spec.x in body should be less than or equal to 1.5"),
                row(
                        "{'type':'integer','multipleOf':3}",
                        "4",
                        "spec.x: Invalid value: 4: spec.x in body should be a multiple of 3"),
                row(
                        "{'type':'string','minLength':1}",
                        "''",
                        "spec.x: Invalid value: '': spec.x in body should be at least 1 chars long"),
                row("{'type':'string','maxLength':2}", "'abc'", "spec.x: Too long: may not be more than 2 bytes"),
                row(
                        "{'type':'string','pattern':'^[a-z]+$'}",
                        "'A'",
                        "spec.x: Invalid value: 'A': spec.x in body should match '^[a-z]+$'"),
                row("{'type':'string','pattern':'(?P<x>[[:digit:]])'}", "'a7'"),
                row(
                        "{'type':'string','format':'ipv4'}",
                        "'1.2.3'",
                        "spec.x: Invalid value: '1.2.3': spec.x in body must be of type ipv4: '1.2.3'"),
                row("{'type':'string','format':'date-time'}", "'2026-01-02T03:04:05Z'"),
                row("{'type':'string','format':'something'}", "'a'"),
                row(
                        "{'type':'array','items':{'type':'string'}}",
                        "['a',1]",
                        "spec.x[1]: Invalid value: 'integer': spec.x[1] in body must be of type string: 'integer'"),
                row(
                        "{'type':'array','minItems':1,'items':{'type':'string'}}",
                        "[]",
                        "spec.x: Invalid value: 0: spec.x in body should have at least 1 items"),
                row(
                        "{'type':'array','maxItems':1,'items':{'type':'string'}}",
                        "['a','b']",
                        "spec.x: Too many: 2: must have at most 1 item"),
                row(
                        "{'type':'object','maxProperties':1,'additionalProperties':{'type':'string'}}",
                        "{'a':'1','b':'2'}",
                        "spec.x: Too many: 2: must have at most 1 item"),
                row(
                        "{'type':'object','additionalProperties':{'type':'string'}}",
                        "{'a':1}",
                        "spec.x.a: Invalid value: 'integer': spec.x.a in body must be of type string: 'integer'"),
                row(
                        "{'type':'object','required':['a'],'properties':{'a':{'type':'string'}}}",
                        "{}",
                        "spec.x.a: Required value"),
                row(
                        "{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}}",
                        "['a','b','a','a']",
                        "spec.x[2]: Duplicate value: 'a'"),
                row(
                        "{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],'items':{'type':'object','required':['n'],'properties':{'n':{'type':'string'}}}}",
                        "[{'n':'a'},{'n':'a'}]",
                        "spec.x[1]: Duplicate value: {'n':'a'}"),
                row(
                        "{'type':'string','anyOf':[{'pattern':'^a'},{'pattern':'^b'}]}",
                        "'c'",
                        "<nil>: Invalid value: '': 'spec.x' must validate at least one schema (anyOf)",
                        "spec.x: Invalid value: 'c': spec.x in body should match '^a'"),
                row(
                        "{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'string'}},'oneOf':[{'required':['a']},{'required':['b']}]}",
                        "{'a':'1','b':'2'}",
                        "<nil>: Invalid value: '': 'spec.x' must validate one and only one schema (oneOf). Found 2 valid alternatives"),
                row(
                        "{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'string'}},'oneOf':[{'required':['a']},{'required':['b']}]}",
                        "{}",
                        "<nil>: Invalid value: '': 'spec.x' must validate one and only one schema (oneOf). Found none valid",
                        "spec.x.a: Required value"),
                row(
                        "{'type':'string','not':{'enum':['a']}}",
                        "'a'",
                        "<nil>: Invalid value: '': 'spec.x' must not validate the schema (not)"),
                row(
                        "{'type':'integer','allOf':[{'minimum':1},{'maximum':5}]}",
                        "9",
                        "spec.x: Invalid value: 9: spec.x in body should be less than or equal to 5",
                        "<nil>: Invalid value: '': 'spec.x' must validate all the schemas (allOf)"),
                row(
                        "{'type':'object','x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true}",
                        "{'kind':''}",
                        "spec.x.apiVersion: Required value",
                        "spec.x.kind: Invalid value: '': must not be empty"),
                row("{'type':'object','x-kubernetes-preserve-unknown-fields':true}", "{'any':[1]}"));
    }

    private static Arguments row(String schema, String value, String... mistakes) {
        return Arguments.of(
                schema.replace('\'', '"'),
                value.replace('\'', '"'),
                Stream.of(mistakes)
                        .map(text -> text.contains("should match") ? quote(text) : text.replace('\'', '"'))
                        .toList());
    }

    /** The pattern itself stands in single quotes. */
    private static String quote(String text) {
        int at = text.indexOf("should match");
        return text.substring(0, at).replace('\'', '"') + text.substring(at);
    }

    private static Schema schemaOf(String field) {
        return StructuralSchema.parse(Json.parse("{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\","
                + "\"properties\":{\"x\":" + field + "}}}}"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void says(String field, String value, java.util.List<String> mistakes) {
        ObjectNode tree =
                Json.parse("{\"apiVersion\":\"a.b/v1\",\"kind\":\"C\",\"metadata\":{\"name\":\"n\"},\"spec\":{\"x\":"
                        + value + "}}");
        assertThat(SchemaValidator.validate(schemaOf(field), tree).stream()
                        .map(cause -> cause.field() + ": " + cause.message()))
                .containsExactlyElementsOf(mistakes);
    }

    @Test
    void aPatternThatExplodesGivesUp() {
        Schema schema = schemaOf("{\"type\":\"string\",\"pattern\":\"^(a+)+$\"}");
        String text = String.join("", Collections.nCopies(60, "a")) + "!";
        ObjectNode tree = Json.object();
        tree.putObject("spec").put("x", text);
        assertThat(SchemaValidator.validate(schema, tree)).hasSize(1);
    }

    @Test
    void metadataIsRestrictedByItsOwnRulesToo() {
        Schema schema = StructuralSchema.parse(Json.parse(
                "{\"type\":\"object\",\"properties\":{\"metadata\":{\"type\":\"object\",\"properties\":{\"name\":"
                        + "{\"type\":\"string\",\"maxLength\":3}}}}}"));
        ObjectNode tree = Json.parse("{\"metadata\":{\"name\":\"abcd\",\"labels\":{\"a\":\"b\"},\"foo\":1}}");
        assertThat(Pruning.prune(schema, tree)).containsExactly("metadata.foo");
        assertThat(SchemaValidator.validate(schema, tree))
                .anySatisfy(cause -> assertThat(cause.field()).isEqualTo("metadata.name"));
    }
}
