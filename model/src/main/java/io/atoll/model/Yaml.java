package io.atoll.model;

import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * YAML text to the same trees as {@link Json}, and back. Duplicate keys and text that does not parse are a 400
 * {@link ApiException}. Stateless; any thread.
 */
public final class Yaml {
    private static final int CODE_POINTS_MAX = 16 * 1024 * 1024;
    private static final int ALIASES_MAX = 50;
    /** As deep as JSON may be. */
    private static final int DEPTH_MAX = 500;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Yaml() {}

    /** Parses one object; an empty document is an empty object. */
    public static ObjectNode parse(String yaml) {
        List<JsonNode> documents = parseAll(yaml);
        if (documents.isEmpty()) {
            return Json.object();
        }
        if (documents.size() > 1) {
            throw ApiException.badRequest("expected a single YAML document, found " + documents.size());
        }
        if (documents.getFirst() instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("expected a YAML mapping at the top level");
    }

    /** Parses a stream of documents, leaving empty ones out. */
    public static List<JsonNode> parseAll(String yaml) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(false)
                .setCodePointLimit(CODE_POINTS_MAX)
                .setMaxAliasesForCollections(ALIASES_MAX)
                .build();
        List<JsonNode> documents = new ArrayList<>();
        requireShallow(yaml, settings);
        try {
            for (Object document : new Load(settings).loadAllFromReader(new StringReader(yaml))) {
                JsonNode node = toNode(document);
                if (!node.isNull()) {
                    documents.add(node);
                }
            }
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("invalid YAML: " + e.getMessage());
        }
        return documents;
    }

    /** Looks at the events first: building the tree goes one call deeper for each level. */
    private static void requireShallow(String yaml, LoadSettings settings) {
        int depth = 0;
        try {
            for (Event event : new Parse(settings).parseString(yaml)) {
                depth += switch (event.getEventId()) {
                    case MappingStart, SequenceStart -> 1;
                    case MappingEnd, SequenceEnd -> -1;
                    default -> 0;
                };
                if (depth > DEPTH_MAX) {
                    throw ApiException.badRequest("invalid YAML: nested deeper than " + DEPTH_MAX + " levels");
                }
            }
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("invalid YAML: " + e.getMessage());
        }
    }

    /** Block style, two spaces, fields in their order, ending in a newline. */
    public static String encode(JsonNode tree) {
        return new YamlWriter().document(tree);
    }

    private static JsonNode toNode(@Nullable Object value) {
        return switch (value) {
            case null -> NODES.nullNode();
            case Map<?, ?> map -> {
                ObjectNode object = NODES.objectNode();
                map.forEach((key, entry) -> object.set(String.valueOf(key), toNode(entry)));
                yield object;
            }
            case List<?> list -> {
                ArrayNode array = NODES.arrayNode();
                list.forEach(entry -> array.add(toNode(entry)));
                yield array;
            }
            case Boolean flag -> NODES.booleanNode(flag);
            case Integer number -> NODES.numberNode(number.intValue());
            case Long number -> NODES.numberNode(number.longValue());
            case BigInteger number -> NODES.numberNode(number);
            case Double number -> NODES.numberNode(number.doubleValue());
            case byte[] bytes -> NODES.stringNode(java.util.Base64.getEncoder().encodeToString(bytes));
            default -> NODES.stringNode(value.toString());
        };
    }
}
