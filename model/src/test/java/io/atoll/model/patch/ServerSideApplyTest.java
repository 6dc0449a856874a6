package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.model.schema.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ServerSideApplyTest {
    private static final Schema SCHEMA = WorkloadSchema.deployment();
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.5Z");
    private static final Instant ONE = Instant.parse("2026-01-01T13:00:00Z");
    private static final String HEAD = "apiVersion: apps/v1\nkind: Deployment\n";

    private static ServerSideApply.Write write(String manager, Instant now) {
        return new ServerSideApply.Write(manager, "apps/v1", "", FieldSet.of("status"), now);
    }

    private static ObjectNode object(String yaml) {
        return Yaml.parse(HEAD + yaml);
    }

    private static ObjectNode apply(@Nullable ObjectNode live, String manager, String yaml) {
        return ServerSideApply.apply(SCHEMA, live, object(yaml), write(manager, NOON), false);
    }

    private static ObjectNode created(String manager, String yaml) {
        ObjectNode object = object(yaml);
        ServerSideApply.track(SCHEMA, null, object, write(manager, NOON));
        return object;
    }

    private static String fields(ObjectNode object, String manager) {
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            if (entry.path("manager").asString("").equals(manager)) {
                return Json.encodeToString(entry.path("fieldsV1"));
            }
        }
        return "";
    }

    private static ObjectNode plain(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        Metadata.of(copy).remove("managedFields");
        return copy;
    }

    @Test
    void aCreateOwnsWhatItSets() {
        ObjectNode object = created("kubectl-create", """
                metadata: {name: web, uid: u, labels: {app: web}}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: web}}
                  strategy: {rollingUpdate: {maxSurge: "1"}}
                  containers:
                  - {name: c, image: x, args: [a], resources: {}, ports: [{containerPort: 80}]}
                status: {replicas: 1}
                """);
        assertThat(fields(object, "kubectl-create"))
                .isEqualTo("{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:app\":{}}},\"f:spec\":{\"f:containers\":"
                        + "{\".\":{},\"k:{\\\"name\\\":\\\"c\\\"}\":{\".\":{},\"f:args\":{},\"f:image\":{},"
                        + "\"f:name\":{},\"f:ports\":{\".\":{},"
                        + "\"k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},"
                        + "\"f:containerPort\":{}}},\"f:resources\":{}}},\"f:replicas\":{},\"f:selector\":{},"
                        + "\"f:strategy\":{\"f:rollingUpdate\":{\".\":{},\"f:maxSurge\":{}}}}}");
        JsonNode entry = object.path("metadata").path("managedFields").get(0);
        assertThat(entry.path("operation").asString()).isEqualTo("Update");
        assertThat(entry.path("time").asString()).isEqualTo("2026-01-01T12:00:00Z");
        assertThat(entry.path("fieldsType").asString()).isEqualTo("FieldsV1");
    }

    @Test
    void anApplyOwnsLeavesAndItems() {
        ObjectNode object = apply(null, "me", """
                metadata: {name: web, labels: {app: web}, finalizers: [b/a]}
                spec: {replicas: 2, containers: [{name: c, image: x}], strategy: {rollingUpdate: {}}}
                """);
        assertThat(fields(object, "me"))
                .isEqualTo("{\"f:metadata\":{\"f:finalizers\":{\"v:\\\"b/a\\\"\":{}},\"f:labels\":{\"f:app\":{}}},"
                        + "\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"c\\\"}\":{\".\":{},\"f:image\":{},"
                        + "\"f:name\":{}}},\"f:replicas\":{},\"f:strategy\":{\"f:rollingUpdate\":{}}}}");
    }

    @Test
    void whatIsNoLongerAppliedGoes() {
        ObjectNode live = apply(null, "me", """
                metadata: {name: web, labels: {a: "1", b: "2"}, finalizers: [x/a, x/b]}
                spec: {replicas: 2, paused: true, containers: [{name: c, image: x}, {name: d, image: y}]}
                """);
        Metadata.setUid(live, "u");
        ((ObjectNode) live.path("spec")).set("tolerations", Json.array().add(Json.object()));
        ObjectNode next = apply(live, "me", """
                metadata: {name: web, finalizers: [x/b]}
                spec: {replicas: 2, containers: [{name: d, image: y}]}
                """);
        assertThat(plain(next)).isEqualTo(object("""
                        metadata: {name: web, finalizers: [x/b], uid: u}
                        spec: {replicas: 2, containers: [{name: d, image: y}], tolerations: [{}]}
                        """));
    }

    @Test
    void theLastFieldTakesItsParentAlong() {
        ObjectNode live =
                apply(null, "me", "metadata: {name: web, uid: u, labels: {a: b}}\nspec: {strategy: {type: x}}");
        ObjectNode next = apply(live, "me", "metadata: {name: web}");
        assertThat(plain(next)).isEqualTo(object("metadata: {name: web, uid: u}"));
    }

    @Test
    void whatOthersOwnStays() {
        ObjectNode live =
                apply(null, "a", "metadata: {name: web}\nspec: {replicas: 2, containers: [{name: c, image: x}]}");
        live = apply(live, "b", "metadata: {name: web}\nspec: {containers: [{name: c, args: [z]}]}");
        live = apply(live, "a", "metadata: {name: web}\nspec: {replicas: 2}");
        assertThat(plain(live))
                .isEqualTo(object("metadata: {name: web}\nspec: {replicas: 2, containers: [{name: c, args: [z]}]}"));
    }

    @Test
    void conflictsNameTheManager() {
        ObjectNode live =
                created("kubectl-client-side-apply", "metadata: {name: web}\nspec: {replicas: 1, paused: true}");
        assertThatThrownBy(() -> apply(live, "me", "metadata: {name: web}\nspec: {replicas: 3}"))
                .isInstanceOfSatisfying(ApiException.class, e -> {
                    assertThat(e.code()).isEqualTo(409);
                    assertThat(e.details()).isNotNull();
                })
                .hasMessage("Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using apps/v1:"
                        + " .spec.replicas");
        assertThatThrownBy(() -> apply(live, "me", "metadata: {name: web}\nspec: {replicas: 3, paused: false}"))
                .hasMessage(
                        "Apply failed with 2 conflicts: conflicts with \"kubectl-client-side-apply\" using apps/v1:\n"
                                + "- .spec.paused\n- .spec.replicas");
    }

    @Test
    void theSameValueIsShared() {
        ObjectNode live = created("a", "metadata: {name: web}\nspec: {replicas: 1, paused: true}");
        ObjectNode next = apply(live, "me", "metadata: {name: web}\nspec: {replicas: 1}");
        assertThat(fields(next, "me")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
        assertThat(fields(next, "a")).isEqualTo(fields(live, "a"));
    }

    @Test
    void forceTakesFieldsOver() {
        ObjectNode live = created("a", "metadata: {name: web}\nspec: {replicas: 1, paused: true}");
        ObjectNode next = ServerSideApply.apply(
                SCHEMA, live, object("metadata: {name: web}\nspec: {replicas: 3}"), write("me", ONE), true);
        assertThat(next.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(fields(next, "a")).isEqualTo("{\"f:spec\":{\"f:paused\":{}}}");
        assertThat(fields(next, "me")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
    }

    @Test
    void updatesTakeWhatTheyChange() {
        ObjectNode live = apply(null, "me", "metadata: {name: web}\nspec: {replicas: 1, paused: true}");
        ObjectNode scaled = plain(live);
        ((ObjectNode) scaled.path("spec")).put("replicas", 5).remove("paused");
        ServerSideApply.track(SCHEMA, live, scaled, write("hpa", ONE));
        assertThat(fields(scaled, "me")).isEmpty();
        assertThat(fields(scaled, "hpa")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
        assertThatThrownBy(() -> apply(scaled, "me", "metadata: {name: web}\nspec: {replicas: 1}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"hpa\" using apps/v1: .spec.replicas");
    }

    @Test
    void statusBelongsToItsSubresource() {
        ObjectNode live = created("a", "metadata: {name: web}\nspec: {replicas: 1}");
        ObjectNode reported = live.deepCopy();
        reported.putObject("status").put("replicas", 1);
        ServerSideApply.track(
                SCHEMA, live, reported, new ServerSideApply.Write("a", "apps/v1", "status", FieldSet.of("spec"), ONE));
        JsonNode entries = reported.path("metadata").path("managedFields");
        assertThat(entries).hasSize(2);
        assertThat(entries.get(1).path("subresource").asString()).isEqualTo("status");
        assertThat(Json.encodeToString(entries.get(1).path("fieldsV1")))
                .isEqualTo("{\"f:status\":{\"f:replicas\":{}}}");
    }

    @Test
    void timesMoveOnlyWithChanges() {
        ObjectNode live = apply(null, "me", "metadata: {name: web}\nspec: {replicas: 1}");
        ObjectNode again = ServerSideApply.apply(
                SCHEMA, live, object("metadata: {name: web}\nspec: {replicas: 1}"), write("me", ONE), false);
        assertThat(again).isEqualTo(live);
        ObjectNode changed = ServerSideApply.apply(
                SCHEMA, live, object("metadata: {name: web}\nspec: {replicas: 2}"), write("me", ONE), false);
        assertThat(changed.at("/metadata/managedFields/0/time").asString()).isEqualTo("2026-01-01T13:00:00Z");
    }

    @Test
    void kubectlUpgradesItsOwnClientSideApply() {
        ObjectNode live = created("kubectl-client-side-apply", """
                metadata:
                  name: web
                  annotations:
                    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":1}}'
                spec: {replicas: 1, paused: true}
                """);
        ObjectNode next = apply(live, "kubectl", "metadata: {name: web}\nspec: {replicas: 2}");
        assertThat(next.at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(Metadata.annotation(next, "kubectl.kubernetes.io/last-applied-configuration"))
                .contains("\"replicas\":2");
        assertThatThrownBy(() -> apply(live, "kubectl", "metadata: {name: web}\nspec: {paused: false}"))
                .hasMessageContaining("conflict");
        assertThatThrownBy(() -> apply(live, "other", "metadata: {name: web}\nspec: {replicas: 2}"))
                .hasMessageContaining("conflict");
    }

    @Test
    void writersMayEditOrResetTheList() {
        ObjectNode live = created("a", "metadata: {name: web}\nspec: {replicas: 1}");
        ObjectNode reset = plain(live);
        Metadata.of(reset).putArray("managedFields").addObject();
        ServerSideApply.track(SCHEMA, live, reset, write("b", ONE));
        assertThat(reset.path("metadata").has("managedFields")).isFalse();

        ObjectNode renamed = live.deepCopy();
        ((ObjectNode) renamed.path("metadata").path("managedFields").get(0)).put("manager", "z");
        ServerSideApply.track(SCHEMA, live, renamed, write("b", ONE));
        assertThat(fields(renamed, "z")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
        assertThat(fields(renamed, "a")).isEmpty();
    }

    @Test
    void anObjectWithoutOwnersIsOwnedByTheTimeBefore() {
        ObjectNode live = object("metadata: {name: web}\nspec: {replicas: 1}");
        assertThatThrownBy(() -> apply(live, "me", "metadata: {name: web}\nspec: {replicas: 2}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"before-first-apply\" using apps/v1:"
                        + " .spec.replicas");
    }

    @Test
    void itemsKeepTheAppliedOrderAndOthersTheirPlace() {
        ObjectNode live = created("a", "metadata: {name: web}\nspec: {containers: [{name: x}, {name: s}, {name: y}]}");
        ObjectNode next =
                apply(live, "me", "metadata: {name: web}\nspec: {containers: [{name: y}, {name: x}, {name: n}]}");
        assertThat(next.path("spec").path("containers"))
                .isEqualTo(Yaml.parse("l: [{name: y}, {name: x}, {name: s}, {name: n}]")
                        .path("l"));
    }

    @Test
    void refusesWhatItCannotTrack() {
        assertThatThrownBy(() -> apply(null, "me", "metadata: {name: web, namespace: ns}\nspec: {nonsense: 1}"))
                .hasMessage("failed to create typed patch object (ns/web; apps/v1, Kind=Deployment): .spec.nonsense:"
                        + " field not declared in schema");
        assertThatThrownBy(() -> apply(null, "me", "metadata: {name: web}\nspec: {containers: [{name: a}, {name: a}]}"))
                .hasMessageContaining("duplicate entries for key [name=\"a\"]");
        assertThatThrownBy(() -> apply(null, "me", "metadata: {name: web, managedFields: []}"))
                .hasMessage("metadata.managedFields must be nil");
    }

    @Test
    void withoutASchemaObjectsAreGranularAndListsAtomic() {
        ObjectNode live = ServerSideApply.apply(
                null, null, object("metadata: {name: x}\nspec: {a: {b: 1}, l: [{name: p}]}"), write("me", NOON), false);
        assertThat(fields(live, "me")).isEqualTo("{\"f:spec\":{\".\":{},\"f:a\":{\".\":{},\"f:b\":{}},\"f:l\":{}}}");
        ObjectNode next = ServerSideApply.apply(
                null, live, object("metadata: {name: x}\nspec: {a: {}, l: [{name: q}]}"), write("me", ONE), false);
        assertThat(plain(next)).isEqualTo(object("metadata: {name: x}\nspec: {a: {}, l: [{name: q}]}"));
    }

    @Test
    void manyUpdatersAreJoined() {
        ObjectNode live = created("m0", "metadata: {name: web, labels: {l0: x}}");
        for (int i = 1; i < 15; i++) {
            ObjectNode next = plain(live);
            Metadata.setLabel(next, "l" + i, "x");
            ServerSideApply.track(SCHEMA, live, next, write("m" + i, NOON.plusSeconds(i)));
            live = next;
        }
        assertThat(live.path("metadata").path("managedFields")).hasSize(11);
        assertThat(fields(live, "ancient-changes")).contains("f:l0").contains("f:l4");
    }
}
