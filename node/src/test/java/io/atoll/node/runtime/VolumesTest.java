package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.node.FakeHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class VolumesTest {
    private static final String CLAIM =
            "{\"kind\":\"PersistentVolumeClaim\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"data\",\"namespace\":\"team\"}}";

    @TempDir
    Path dir;

    private final FakeHost host = new FakeHost();

    /** A tenant that is made under the name of one that is gone has the same claims in the same host namespace. */
    @Test
    void aClaimNeverHoldsWhatAnEarlierOneOfItsNameHeld() throws SetupException, IOException {
        Volumes volumes = new Volumes(host, dir.resolve("claims"), Timers.system());
        ObjectNode pod = Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"team","uid":"u1"},
                 "spec":{"volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}],
                  "containers":[{"name":"main","volumeMounts":[{"name":"d","mountPath":"/d"}]}]}}""");
        PodSite site = new PodSite(pod, "node-1", "127.0.0.1", "127.64.0.1", dir.resolve("u1"), Map.of(), Map.of());
        host.create(HostTypes.CLAIMS, "team", Json.parse(CLAIM));
        Path first = mounted(volumes, site);
        Files.writeString(first.resolve("secret"), "s");
        assertThat(mounted(volumes, site)).isEqualTo(first);

        host.delete(HostTypes.CLAIMS, "team", "data", Client.DeleteOptions.background());
        ObjectNode again = host.create(HostTypes.CLAIMS, "team", Json.parse(CLAIM));
        Path second = mounted(volumes, site);
        assertThat(second).isNotEqualTo(first).isEmptyDirectory();

        volumes.retainClaims(Set.of(Metadata.uid(again)));
        assertThat(first).doesNotExist();
        assertThat(second).exists();
    }

    private static Path mounted(Volumes volumes, PodSite site) throws SetupException {
        volumes.prepare(site);
        return volumes.mounts(site, site.pod().path("spec").path("containers").path(0), Map.of())
                .getFirst()
                .source();
    }
}
