package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts the volumes of pods into their folders, and tells which of them a container mounts where. Any thread, but one at
 * a time for a pod.
 */
final class Volumes {
    private static final int DEFAULT_MODE = 0644;
    private static final long TOKEN_SECONDS_DEFAULT = 3607;

    private final Client client;
    private final Path claims;
    private final Timers timers;
    private final Map<Path, Token> tokens = new ConcurrentHashMap<>();

    private record Token(String text, Instant renewAt) {}

    /** @param claims where the contents of PersistentVolumeClaims lie */
    Volumes(Client client, Path claims, Timers timers) {
        this.client = client;
        this.claims = claims;
        this.timers = timers;
    }

    /** Makes all volumes of a pod, or brings them up to date. */
    void prepare(PodSite site) throws SetupException {
        for (JsonNode volume : site.pod().path("spec").path("volumes")) {
            String name = volume.path("name").asString("");
            try {
                prepare(site, volume, folder(site, name));
            } catch (SetupException e) {
                throw new SetupException(
                        e.reason(), "MountVolume.SetUp failed for volume \"" + name + "\" : " + e.getMessage());
            } catch (IOException | IllegalArgumentException e) {
                throw new SetupException(
                        "FailedMount", "MountVolume.SetUp failed for volume \"" + name + "\" : " + e.getMessage());
            }
        }
    }

    void forget(PodSite site) {
        tokens.keySet().removeIf(path -> path.startsWith(site.dir()));
    }

    /** What a container mounts, shallowest first. */
    List<Mount> mounts(PodSite site, JsonNode container, Map<String, String> environment) throws SetupException {
        List<Mount> mounts = new ArrayList<>();
        for (JsonNode entry : container.path("volumeMounts")) {
            String name = entry.path("name").asString("");
            JsonNode volume = volume(site, name);
            String subPath = entry.has("subPathExpr")
                    ? Environment.expand(entry.path("subPathExpr").asString(""), environment)
                    : entry.path("subPath").asString("");
            Path root = source(site, volume, name);
            Path source = root;
            try {
                if (!subPath.isEmpty()) {
                    source = root.resolve(PodPaths.below(subPath));
                    if (!PodPaths.inside(root, source)) {
                        throw new SetupException(
                                "CreateContainerConfigError", "subPath \"" + subPath + "\" leaves its volume");
                    }
                    if (!Files.exists(source)) {
                        Files.createDirectories(source);
                    }
                    source = source.toRealPath();
                }
                boolean readOnly = entry.path("readOnly").asBoolean(false) || generated(volume);
                mounts.add(new Mount(source, absolute(entry.path("mountPath").asString("")), readOnly));
            } catch (IOException e) {
                throw new SetupException(
                        "CreateContainerConfigError", "failed to prepare subPath for volumeMount: " + e.getMessage());
            }
        }
        mounts.sort(java.util.Comparator.comparingInt(mount -> mount.target().getNameCount()));
        return mounts;
    }

    static Path absolute(String path) throws SetupException {
        try {
            return Path.of("/").resolve(path).normalize();
        } catch (InvalidPathException _) {
            throw new SetupException("CreateContainerConfigError", "'" + path + "' is not a path");
        }
    }

    private void prepare(PodSite site, JsonNode volume, Path folder) throws SetupException, IOException {
        if (volume.has("configMap") || volume.has("secret") || volume.has("downwardAPI") || volume.has("projected")) {
            JsonNode projected = volume.path("projected");
            Map<Path, AtomicFolder.Content> files = new LinkedHashMap<>();
            if (projected.isMissingNode()) {
                addSource(site, volume, mode(volume), folder, files);
            } else {
                int index = 0;
                for (JsonNode source : projected.path("sources")) {
                    addSource(
                            site,
                            source,
                            projected.path("defaultMode").asInt(DEFAULT_MODE),
                            folder.resolve(Integer.toString(index++)),
                            files);
                }
            }
            AtomicFolder.write(folder, files);
        } else if (volume.has("emptyDir")) {
            if (Files.notExists(folder)) {
                Files.createDirectories(folder);
                AtomicFolder.permit(folder, 0777);
            }
        } else if (volume.has("hostPath")) {
            hostPath(volume.path("hostPath"));
        } else if (volume.has("persistentVolumeClaim")) {
            String claim =
                    volume.path("persistentVolumeClaim").path("claimName").asString("");
            Files.createDirectories(claim(site, claim));
        } else {
            throw new SetupException(
                    "FailedMount",
                    "a node that runs pods as local processes has no volumes of this kind; it has configMap, secret,"
                            + " projected, downwardAPI, emptyDir, hostPath and persistentVolumeClaim");
        }
    }

    private static int mode(JsonNode volume) {
        for (String kind : List.of("configMap", "secret", "downwardAPI")) {
            if (volume.has(kind)) {
                return volume.path(kind).path("defaultMode").asInt(DEFAULT_MODE);
            }
        }
        return DEFAULT_MODE;
    }

    private void addSource(PodSite site, JsonNode source, int mode, Path slot, Map<Path, AtomicFolder.Content> files)
            throws SetupException {
        if (source.has("configMap")) {
            addObject(site, HostTypes.CONFIG_MAPS, source.path("configMap"), mode, files);
        }
        if (source.has("secret")) {
            addObject(site, HostTypes.SECRETS, source.path("secret"), mode, files);
        }
        for (JsonNode item : source.path("downwardAPI").path("items")) {
            String text = item.has("fieldRef")
                    ? PodFields.field(
                            site, item.path("fieldRef").path("fieldPath").asString(""))
                    : PodFields.resource(site, Json.object(), item.path("resourceFieldRef"));
            put(
                    files,
                    item.path("path").asString(""),
                    text.getBytes(StandardCharsets.UTF_8),
                    item.path("mode").asInt(mode));
        }
        if (source.has("serviceAccountToken")) {
            JsonNode wanted = source.path("serviceAccountToken");
            put(
                    files,
                    wanted.path("path").asString(""),
                    token(site, wanted, slot).getBytes(StandardCharsets.UTF_8),
                    mode);
        }
    }

    private void addObject(
            PodSite site, ResourceType type, JsonNode reference, int mode, Map<Path, AtomicFolder.Content> files)
            throws SetupException {
        String name =
                reference.path("secretName").asString(reference.path("name").asString(""));
        boolean optional = reference.path("optional").asBoolean(false);
        Optional<ObjectNode> object = client.find(type, site.namespace(), name);
        if (object.isEmpty()) {
            if (optional) {
                return;
            }
            throw new SetupException("FailedMount", type.singular() + " \"" + name + "\" not found");
        }
        Map<String, byte[]> data = new LinkedHashMap<>();
        boolean secret = type.equals(HostTypes.SECRETS);
        for (Map.Entry<String, JsonNode> entry : object.get().path("data").properties()) {
            String text = entry.getValue().asString("");
            data.put(
                    entry.getKey(),
                    secret ? Base64.getMimeDecoder().decode(text) : text.getBytes(StandardCharsets.UTF_8));
        }
        for (Map.Entry<String, JsonNode> entry : object.get().path("binaryData").properties()) {
            data.put(
                    entry.getKey(),
                    Base64.getMimeDecoder().decode(entry.getValue().asString("")));
        }
        if (reference.path("items").isEmpty()) {
            for (Map.Entry<String, byte[]> entry : data.entrySet()) {
                put(files, PodPaths.key(entry.getKey()), entry.getValue(), mode);
            }
            return;
        }
        for (JsonNode item : reference.path("items")) {
            byte[] bytes = data.get(item.path("key").asString(""));
            if (bytes != null) {
                put(
                        files,
                        item.path("path").asString(""),
                        bytes,
                        item.path("mode").asInt(mode));
            } else if (!optional) {
                throw new SetupException(
                        "FailedMount",
                        "references non-existent " + (secret ? "secret" : "config") + " key: "
                                + item.path("key").asString(""));
            }
        }
    }

    private static void put(Map<Path, AtomicFolder.Content> files, String path, byte[] bytes, int mode)
            throws SetupException {
        Path below = PodPaths.below(path);
        if (below.toString().isEmpty() || below.getName(0).toString().startsWith("..")) {
            throw new SetupException("FailedMount", "'" + path + "' cannot be the path of a file");
        }
        files.put(below, new AtomicFolder.Content(bytes, mode));
    }

    private String token(PodSite site, JsonNode wanted, Path slot) throws SetupException {
        Token known = tokens.get(slot);
        if (known != null && timers.instant().isBefore(known.renewAt)) {
            return known.text;
        }
        long seconds = wanted.path("expirationSeconds").asLong(TOKEN_SECONDS_DEFAULT);
        ObjectNode request = Json.object().put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        ObjectNode spec = request.putObject("spec").put("expirationSeconds", seconds);
        String audience = wanted.path("audience").asString("");
        if (!audience.isEmpty()) {
            spec.putArray("audiences").add(audience);
        }
        spec.putObject("boundObjectRef")
                .put("kind", "Pod")
                .put("apiVersion", "v1")
                .put("name", site.name())
                .put("uid", site.uid());
        String account = site.pod().path("spec").path("serviceAccountName").asString("");
        try {
            ObjectNode answer = client.createSubresource(
                    HostTypes.SERVICE_ACCOUNTS,
                    site.namespace(),
                    account.isEmpty() ? "default" : account,
                    "token",
                    request);
            String text = answer.path("status").path("token").asString("");
            tokens.put(slot, new Token(text, timers.instant().plusSeconds(seconds * 4 / 5)));
            return text;
        } catch (ApiException e) {
            throw new SetupException("FailedMount", "failed to fetch token: " + e.getMessage());
        }
    }

    private static void hostPath(JsonNode hostPath) throws SetupException, IOException {
        Path path = absolute(hostPath.path("path").asString(""));
        boolean ok = switch (hostPath.path("type").asString("")) {
            case "DirectoryOrCreate" -> Files.isDirectory(Files.createDirectories(path));
            case "FileOrCreate" ->
                Files.isRegularFile(path) || (Files.notExists(path) && Files.exists(Files.createFile(path)));
            case "Directory" -> Files.isDirectory(path);
            case "File" -> Files.isRegularFile(path);
            default -> Files.exists(path) || Files.isDirectory(Files.createDirectories(path));
        };
        if (!ok) {
            throw new SetupException(
                    "FailedMount",
                    "hostPath type check failed: " + path + " is not a "
                            + hostPath.path("type").asString("").replace("OrCreate", ""));
        }
    }

    /** Volumes that the node writes itself; containers only read them. */
    private static boolean generated(JsonNode volume) {
        return volume.has("configMap") || volume.has("secret") || volume.has("downwardAPI") || volume.has("projected");
    }

    private Path source(PodSite site, JsonNode volume, String name) throws SetupException {
        if (volume.has("hostPath")) {
            return absolute(volume.path("hostPath").path("path").asString(""));
        }
        if (volume.has("persistentVolumeClaim")) {
            return claim(
                    site, volume.path("persistentVolumeClaim").path("claimName").asString(""));
        }
        return folder(site, name);
    }

    private static JsonNode volume(PodSite site, String name) throws SetupException {
        for (JsonNode volume : site.pod().path("spec").path("volumes")) {
            if (volume.path("name").asString("").equals(name)) {
                return volume;
            }
        }
        throw new SetupException("CreateContainerConfigError", "volume \"" + name + "\" not found");
    }

    private static Path folder(PodSite site, String name) {
        return site.dir().resolve("volumes").resolve(PodPaths.segment(name));
    }

    /** By the claim's UID: who makes a claim of a name that was used before must not find what its last owner left. */
    private Path claim(PodSite site, String claim) throws SetupException {
        ObjectNode found = client.find(HostTypes.CLAIMS, site.namespace(), claim)
                .orElseThrow(
                        () -> new SetupException("FailedMount", "persistentvolumeclaim \"" + claim + "\" not found"));
        return claims.resolve(PodPaths.segment(Metadata.uid(found)));
    }

    /** Removes what is left of claims that are no more. */
    void retainClaims(Set<String> uids) throws IOException {
        if (Files.notExists(claims)) {
            return;
        }
        try (Stream<Path> folders = Files.list(claims)) {
            for (Path folder : (Iterable<Path>) folders::iterator) {
                if (!uids.contains(folder.getFileName().toString())) {
                    AtomicFolder.deleteTree(folder);
                }
            }
        }
    }
}
