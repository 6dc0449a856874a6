package io.atoll.client;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Yaml;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A kubeconfig: clusters, users, contexts and which one is current. Not thread-safe.
 *
 * <p>Kept as a tree, so that what this class does not know is written back as it was.
 */
public final class Kubeconfig {
    private static final String CLUSTERS = "clusters";
    private static final String USERS = "users";
    private static final String CONTEXTS = "contexts";

    private final ObjectNode tree;

    private Kubeconfig(ObjectNode tree) {
        this.tree = tree;
    }

    public static Kubeconfig empty() {
        ObjectNode tree = Json.object();
        tree.put("apiVersion", "v1").put("kind", "Config");
        tree.putObject("preferences");
        tree.putArray(CLUSTERS);
        tree.putArray(USERS);
        tree.putArray(CONTEXTS);
        tree.put("current-context", "");
        return new Kubeconfig(tree);
    }

    /** Parses YAML or JSON; an empty text is an empty config. */
    public static Kubeconfig parse(String text) {
        ObjectNode parsed = Yaml.parse(text);
        return parsed.isEmpty() ? empty() : new Kubeconfig(parsed);
    }

    /** Reads a file; one that is missing is empty. */
    public static Kubeconfig read(Path file) throws IOException {
        if (Files.notExists(file)) {
            return empty();
        }
        try {
            return parse(Files.readString(file));
        } catch (ApiException e) {
            throw new IOException(file + " is not a kubeconfig: " + e.getMessage(), e);
        }
    }

    /**
     * The files to look at.
     *
     * @param variable the value of {@code KUBECONFIG}; empty for the one in the home directory
     */
    public static List<Path> files(String variable, Path home) {
        List<Path> files = new ArrayList<>();
        for (String part : variable.split(File.pathSeparator)) {
            if (!part.isEmpty() && !files.contains(Path.of(part))) {
                files.add(Path.of(part));
            }
        }
        return files.isEmpty() ? List.of(home.resolve(".kube").resolve("config")) : files;
    }

    /** The file of a list that kubectl would write new entries to: the first that exists, else the last. */
    public static Path fileToWrite(List<Path> files) {
        return files.stream().filter(Files::exists).findFirst().orElse(files.getLast());
    }

    /** Reads a list of files as one: of entries with the same name the first counts. Relative paths become absolute. */
    public static Kubeconfig load(List<Path> files) throws IOException {
        Kubeconfig merged = empty();
        for (Path file : files) {
            Kubeconfig next = read(file);
            next.resolvePaths(file.toAbsolutePath());
            merged.addMissing(next);
        }
        return merged;
    }

    /** Adds another config's entries, replacing those of the same name. Its current context stays behind. */
    public void merge(Kubeconfig other) {
        for (String section : List.of(CLUSTERS, USERS, CONTEXTS)) {
            for (JsonNode entry : other.tree.path(section)) {
                put(section, entry.path("name").asString(""), field(section), entry.path(field(section)));
            }
        }
    }

    public Optional<ObjectNode> cluster(String name) {
        return find(CLUSTERS, name);
    }

    public Optional<ObjectNode> user(String name) {
        return find(USERS, name);
    }

    public Optional<ObjectNode> context(String name) {
        return find(CONTEXTS, name);
    }

    /** Names in the file's order. */
    public List<String> contextNames() {
        List<String> names = new ArrayList<>();
        tree.path(CONTEXTS).forEach(entry -> names.add(entry.path("name").asString("")));
        return names;
    }

    /** Empty when none is current. */
    public String currentContext() {
        return tree.path("current-context").asString("");
    }

    public void useContext(String name) {
        tree.put("current-context", name);
    }

    public void putCluster(String name, ObjectNode cluster) {
        put(CLUSTERS, name, "cluster", cluster);
    }

    public void putUser(String name, ObjectNode user) {
        put(USERS, name, "user", user);
    }

    /** Adds or changes a context; fields of it that are not named here stay. */
    public void putContext(String name, String cluster, String user, String namespace) {
        ObjectNode context = context(name).map(ObjectNode::deepCopy).orElseGet(Json::object);
        context.put("cluster", cluster).put("user", user);
        if (namespace.isEmpty()) {
            context.remove("namespace");
        } else {
            context.put("namespace", namespace);
        }
        put(CONTEXTS, name, "context", context);
    }

    /** Removes a context, and its cluster and user when no other context names them. */
    public void removeContext(String name) {
        Optional<ObjectNode> context = context(name);
        if (context.isEmpty()) {
            return;
        }
        remove(CONTEXTS, name);
        removeUnused(CLUSTERS, "cluster", context.get().path("cluster").asString(""));
        removeUnused(USERS, "user", context.get().path("user").asString(""));
        if (currentContext().equals(name)) {
            useContext("");
        }
    }

    /** As YAML. */
    public String text() {
        return Yaml.encode(tree);
    }

    /** Replaces the file in one step, readable by its owner only. A symbolic link keeps pointing where it does. */
    public void write(Path file) throws IOException {
        PrivateFile.replace(file, text());
    }

    private Optional<ObjectNode> find(String section, String name) {
        for (JsonNode entry : tree.path(section)) {
            if (entry.path("name").asString("").equals(name)
                    && entry.path(field(section)) instanceof ObjectNode content) {
                return Optional.of(content);
            }
        }
        return Optional.empty();
    }

    private void put(String section, String name, String field, JsonNode content) {
        for (JsonNode entry : tree.path(section)) {
            if (entry instanceof ObjectNode object
                    && entry.path("name").asString("").equals(name)) {
                object.set(field, content);
                return;
            }
        }
        ArrayNode entries = tree.get(section) instanceof ArrayNode present ? present : tree.putArray(section);
        entries.addObject().put("name", name).set(field, content);
    }

    private void remove(String section, String name) {
        if (tree.get(section) instanceof ArrayNode entries) {
            for (int i = entries.size() - 1; i >= 0; i--) {
                if (entries.get(i).path("name").asString("").equals(name)) {
                    entries.remove(i);
                }
            }
        }
    }

    private void removeUnused(String section, String field, String name) {
        for (JsonNode entry : tree.path(CONTEXTS)) {
            if (entry.path("context").path(field).asString("").equals(name)) {
                return;
            }
        }
        remove(section, name);
    }

    private void addMissing(Kubeconfig other) {
        for (String section : List.of(CLUSTERS, USERS, CONTEXTS)) {
            for (JsonNode entry : other.tree.path(section)) {
                String name = entry.path("name").asString("");
                if (find(section, name).isEmpty()) {
                    put(section, name, field(section), entry.path(field(section)));
                }
            }
        }
        if (currentContext().isEmpty()) {
            useContext(other.currentContext());
        }
    }

    private void resolvePaths(Path file) {
        for (JsonNode entry : tree.path(CLUSTERS)) {
            resolve(entry.path("cluster"), "certificate-authority", file);
        }
        for (JsonNode entry : tree.path(USERS)) {
            resolve(entry.path("user"), "client-certificate", file);
            resolve(entry.path("user"), "client-key", file);
            resolve(entry.path("user"), "tokenFile", file);
        }
    }

    private static void resolve(JsonNode node, String field, Path file) {
        String path = node.path(field).asString("");
        if (node instanceof ObjectNode object && !path.isEmpty()) {
            object.put(field, file.resolveSibling(path).toString());
        }
    }

    private static String field(String section) {
        return switch (section) {
            case CLUSTERS -> "cluster";
            case USERS -> "user";
            default -> "context";
        };
    }
}
