package io.atoll.apiserver.verb;

import io.atoll.model.Metadata;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class VerbsTest {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    Path folder;

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture(folder);
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static String configMap(String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", labels: {app: " + name
                + "}}, data: {a: b}}";
    }

    @Test
    void anObjectLivesFromCreateToDelete() {
        ApiFixture.Answer created = api.post(CONFIG_MAPS, configMap("one"));
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("metadata", "uid")).hasSize(36);
        assertThat(created.text("metadata", "namespace")).isEqualTo("default");
        assertThat(created.text("metadata", "creationTimestamp")).endsWith("Z");

        assertThat(api.post(CONFIG_MAPS, configMap("one")).text("reason")).isEqualTo("AlreadyExists");

        ObjectNode object = api.get(CONFIG_MAPS + "/one").body();
        assertThat(object).isEqualTo(created.body());
        ((ObjectNode) object.path("data")).put("a", "c");
        ApiFixture.Answer updated = api.put(CONFIG_MAPS + "/one", object);
        assertThat(updated.status()).isEqualTo(200);
        assertThat(updated.text("data", "a")).isEqualTo("c");

        ApiFixture.Answer stale = api.put(CONFIG_MAPS + "/one", object);
        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.text("message"))
                .isEqualTo("Operation cannot be fulfilled on configmaps \"one\": the object has been modified; please"
                        + " apply your changes to the latest version and try again");

        ApiFixture.Answer deleted = api.delete(CONFIG_MAPS + "/one");
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text("status")).isEqualTo("Success");
        assertThat(api.get(CONFIG_MAPS + "/one").text("message")).isEqualTo("configmaps \"one\" not found");
    }

    @Test
    void anUnchangedUpdateKeepsItsResourceVersion() {
        ObjectNode object = api.post(CONFIG_MAPS, configMap("one")).body();
        assertThat(Metadata.resourceVersion(
                        api.put(CONFIG_MAPS + "/one", object).body()))
                .isEqualTo(Metadata.resourceVersion(object));
    }

    @Test
    void aListPagesAndSelects() {
        for (String name : new String[] {"a", "b", "c"}) {
            api.post(CONFIG_MAPS, configMap(name));
        }
        ApiFixture.Answer all = api.get(CONFIG_MAPS);
        assertThat(all.text("kind")).isEqualTo("ConfigMapList");
        assertThat(all.body().path("items")).hasSize(3);

        ApiFixture.Answer first = api.get(CONFIG_MAPS + "?limit=2");
        assertThat(first.body().path("items")).hasSize(2);
        assertThat(first.body().path("metadata").path("remainingItemCount").asInt())
                .isEqualTo(1);
        api.post(CONFIG_MAPS, configMap("d"));
        ApiFixture.Answer rest = api.get(CONFIG_MAPS + "?limit=2&continue=" + first.text("metadata", "continue"));
        assertThat(rest.body().path("items")).hasSize(1);
        assertThat(rest.body().path("metadata").has("continue")).isFalse();

        assertThat(api.get(CONFIG_MAPS + "?labelSelector=app in (a,c)").body().path("items"))
                .hasSize(2);
        assertThat(api.get(CONFIG_MAPS + "?fieldSelector=metadata.name=b")
                        .body()
                        .path("items"))
                .hasSize(1);
        assertThat(api.get(CONFIG_MAPS + "?fieldSelector=data.a=b").status()).isEqualTo(400);
        assertThat(api.get("/api/v1/configmaps").body().path("items")).hasSize(4);
    }

    @Test
    void aWatchShowsWhatIsThereAndThenEveryChange() {
        api.post(CONFIG_MAPS, configMap("a"));
        ApiFixture.Events events = api.watch(CONFIG_MAPS
                + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
        assertThat(events.next()).isEqualTo("ADDED a");
        ObjectNode bookmark = events.nextEvent();
        assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
        assertThat(Metadata.annotation(bookmark.path("object"), "k8s.io/initial-events-end"))
                .isEqualTo("true");
        api.post(CONFIG_MAPS, configMap("b"));
        assertThat(events.next()).isEqualTo("ADDED b");
        api.patch(CONFIG_MAPS + "/b", "application/merge-patch+json", "{\"data\":{\"x\":\"y\"}}");
        assertThat(events.next()).isEqualTo("MODIFIED b");
        api.delete(CONFIG_MAPS + "/b");
        assertThat(events.next()).isEqualTo("DELETED b");
        events.close();
    }

    @Test
    void aWatchGoesOnFromAnOldRevision() {
        String version = api.post(CONFIG_MAPS, configMap("a")).text("metadata", "resourceVersion");
        api.post(CONFIG_MAPS, configMap("b"));
        api.delete(CONFIG_MAPS + "/a");
        ApiFixture.Events events = api.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + version);
        assertThat(events.next()).isEqualTo("ADDED b");
        assertThat(events.next()).isEqualTo("DELETED a");
    }

    @Test
    void aSelectingWatchSeesObjectsComeAndGo() {
        api.post(CONFIG_MAPS, configMap("a"));
        ApiFixture.Events events = api.watch(CONFIG_MAPS + "?watch=1&labelSelector=app=a&resourceVersion=0");
        assertThat(events.next()).isEqualTo("ADDED a");
        api.patch(CONFIG_MAPS + "/a", "application/merge-patch+json", "{\"metadata\":{\"labels\":{\"app\":\"z\"}}}");
        assertThat(events.next()).isEqualTo("DELETED a");
        api.patch(CONFIG_MAPS + "/a", "application/merge-patch+json", "{\"metadata\":{\"labels\":{\"app\":\"a\"}}}");
        assertThat(events.next()).isEqualTo("ADDED a");
    }

    @Test
    void finalizersHoldADeletedObject() {
        api.post(
                CONFIG_MAPS,
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [example.com/hold]}}");
        ApiFixture.Answer marked = api.delete(CONFIG_MAPS + "/held");
        assertThat(marked.text("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(api.get(CONFIG_MAPS + "/held").status()).isEqualTo(200);
        api.patch(CONFIG_MAPS + "/held", "application/merge-patch+json", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(api.get(CONFIG_MAPS + "/held").status()).isEqualTo(404);
    }

    @Test
    void serverSideApplyCreatesAndMerges() {
        String path = CONFIG_MAPS + "/applied?fieldManager=one";
        ApiFixture.Answer created = api.patch(
                path,
                "application/apply-patch+yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: '1'\n");
        assertThat(created.status()).isEqualTo(201);
        ApiFixture.Answer conflict = api.patch(
                CONFIG_MAPS + "/applied?fieldManager=two",
                "application/apply-patch+yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: '2'\n");
        assertThat(conflict.status()).isEqualTo(409);
    }

    @Test
    void aGeneratedNameIsNew() {
        String yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: gen-}}";
        assertThat(api.post(CONFIG_MAPS, yaml).text("metadata", "name")).matches("gen-[a-z0-9]{5}");
    }

    @Test
    void aDryRunStoresNothing() {
        assertThat(api.post(CONFIG_MAPS + "?dryRun=All", configMap("dry")).status())
                .isEqualTo(201);
        assertThat(api.get(CONFIG_MAPS + "/dry").status()).isEqualTo(404);
    }
}
