package io.atoll.apiserver.table;

import io.atoll.apiserver.registry.ServedResource;
import io.atoll.apiserver.registry.Views;
import io.atoll.model.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Renders encoded objects as {@code meta.k8s.io/v1 Table} and metadata-only forms. Stateless; any thread. */
public final class TablePrinter implements Views {
    private final InstantSource clock;

    public TablePrinter(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public ObjectNode table(ServedResource resource, List<byte[]> objects, TableOptions options) {
        TableLayout layout = TableLayout.of(resource);
        Instant now = clock.instant();
        ObjectNode table = Json.object();
        table.put("kind", "Table");
        table.put("apiVersion", "meta.k8s.io/v1");
        table.putObject("metadata");
        if (options.headers()) {
            table.set("columnDefinitions", layout.definitions());
        } else {
            table.putNull("columnDefinitions");
        }
        ArrayNode rows = table.putArray("rows");
        for (byte[] object : objects) {
            rows.add(row(layout, object, options.includeObject(), now));
        }
        return table;
    }

    @Override
    public ObjectNode partial(byte[] object) {
        return PartialObject.of(object);
    }

    private static ObjectNode row(TableLayout layout, byte[] encoded, IncludeObject include, Instant now) {
        ObjectNode object = Json.parse(encoded);
        Row values = new Row(object, now);
        ObjectNode row = Json.object();
        row.set("cells", layout.cells(values));
        ArrayNode conditions = layout.conditions(values);
        if (!conditions.isEmpty()) {
            row.set("conditions", conditions);
        }
        switch (include) {
            case NONE -> row.putNull("object");
            case METADATA -> row.set("object", metadataOf(object));
            case OBJECT -> row.set("object", object);
        }
        return row;
    }

    private static ObjectNode metadataOf(ObjectNode object) {
        ObjectNode partial = Json.object();
        partial.put("kind", "PartialObjectMetadata");
        partial.put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }
}
