package io.atoll.apiserver.watch;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object as the cache holds it: the stored bytes with its resourceVersion spliced in, parsed only when asked.
 * Immutable but for what it remembers of a parse; any thread.
 */
public final class CachedObject {
    private static final byte[] METADATA = "\"metadata\":{".getBytes(StandardCharsets.UTF_8);
    private static final byte[] VERSION_FIELD = "\"resourceVersion\":\"".getBytes(StandardCharsets.UTF_8);

    private final String path;
    private final byte[] json;
    private final long revision;
    private volatile @Nullable Map<String, String> labels;
    private volatile @Nullable Map<String, String> fields;

    private CachedObject(String path, byte[] json, long revision) {
        this.path = path;
        this.json = json;
        this.revision = revision;
    }

    /**
     * Makes one of what is stored.
     *
     * @param path {@code namespace/name}, or the name alone when cluster scoped
     */
    public static CachedObject of(String path, byte[] stored, long revision) {
        int at = endOfMetadataKey(stored);
        return new CachedObject(path, insert(stored, at, at, revision), revision);
    }

    /** What a dry run would store: it has no resourceVersion. */
    public static CachedObject unstored(String namespace, String name, byte[] json) {
        return new CachedObject(WatchCache.path(namespace, name), json, 0);
    }

    /** The same content as of another revision: what a watch shows of an object that left its selection. */
    public CachedObject at(long otherRevision) {
        int from = endOfMetadataKey(json);
        int to = from + VERSION_FIELD.length;
        while (json[to] != '"') {
            to++;
        }
        to += json[to + 1] == ',' ? 2 : 1;
        return new CachedObject(path, insert(json, from, to, otherRevision), otherRevision);
    }

    /** {@code namespace/name}, or the name alone when cluster scoped. */
    public String path() {
        return path;
    }

    public String namespace() {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    public String name() {
        return path.substring(path.indexOf('/') + 1);
    }

    /** Encoded, with resourceVersion, in the storage version. Shared; never to be mutated. */
    public byte[] json() {
        return json;
    }

    public long revision() {
        return revision;
    }

    /** A fresh tree. */
    public ObjectNode tree() {
        return Json.parse(json);
    }

    /** Parsed once, then remembered. */
    public Map<String, String> labels() {
        Map<String, String> known = labels;
        if (known == null) {
            known = Map.copyOf(Metadata.labels(tree()));
            labels = known;
        }
        return known;
    }

    /** The fields that selectors of this resource may name; read once, then remembered. */
    public Map<String, String> fields(Function<JsonNode, Map<String, String>> reader) {
        Map<String, String> known = fields;
        if (known == null) {
            known = Map.copyOf(reader.apply(tree()));
            fields = known;
        }
        return known;
    }

    private static byte[] insert(byte[] source, int from, int to, long revision) {
        boolean last = source[to] == '}';
        byte[] field = ("\"resourceVersion\":\"" + revision + (last ? "\"" : "\",")).getBytes(StandardCharsets.UTF_8);
        byte[] result = new byte[from + field.length + source.length - to];
        System.arraycopy(source, 0, result, 0, from);
        System.arraycopy(field, 0, result, from, field.length);
        System.arraycopy(source, to, result, from + field.length, source.length - to);
        return result;
    }

    private static int endOfMetadataKey(byte[] json) {
        int last = json.length - METADATA.length;
        for (int at = 0; at <= last; at++) {
            if (json[at] == '"' && matches(json, at)) {
                return at + METADATA.length;
            }
        }
        throw new IllegalStateException("stored object without metadata");
    }

    private static boolean matches(byte[] json, int at) {
        for (int i = 1; i < METADATA.length; i++) {
            if (json[at + i] != METADATA[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return path + "@" + revision;
    }
}
