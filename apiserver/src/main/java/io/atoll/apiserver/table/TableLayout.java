package io.atoll.apiserver.table;

import io.atoll.apiserver.registry.PrinterColumn;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/** The columns that one kind is shown with. Immutable. */
record TableLayout(GroupVersionKind kind, List<Column> columns) {
    private static final String CREATION = "metadata.creationTimestamp";

    TableLayout {
        columns = List.copyOf(columns);
    }

    static TableLayout of(ServedResource resource) {
        GroupVersionKind kind = resource.type().groupVersionKind();
        return resource.custom() ? custom(kind, resource.printerColumns()) : builtIn(kind);
    }

    /** The columns that Kubernetes shows a built-in kind with; name and creation time where it has none of its own. */
    private static TableLayout builtIn(GroupVersionKind kind) {
        List<Column> columns = BuiltInColumns.find(kind.group(), kind.kind());
        return new TableLayout(
                kind,
                columns.isEmpty()
                        ? List.of(
                                Column.named(),
                                new Column("Created At", "date", "", "@" + CREATION, 0, row -> row.text(CREATION)))
                        : columns);
    }

    private static TableLayout custom(GroupVersionKind kind, List<PrinterColumn> printerColumns) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.named());
        for (PrinterColumn column : printerColumns) {
            columns.add(custom(column));
        }
        if (columns.size() == 1) {
            columns.add(new Column("Age", "date", "", "@" + CREATION, 0, Row::age));
        }
        return new TableLayout(kind, columns);
    }

    private static Column custom(PrinterColumn column) {
        Optional<JsonPath> path = JsonPath.parse(column.jsonPath());
        return new Column(
                column.name(),
                column.type(),
                column.format(),
                column.description(),
                column.priority(),
                row -> path.flatMap(p -> p.first(row.object()))
                        .flatMap(value -> CustomCell.of(column.type(), value, row.now()))
                        .orElse(null));
    }

    ArrayNode definitions() {
        ArrayNode definitions = Json.array();
        for (Column column : columns) {
            definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("format", column.format())
                    .put("description", description(column.description()))
                    .put("priority", column.priority());
        }
        return definitions;
    }

    /** A description that starts with @ is the one of a field in the kind's schema. */
    private String description(String text) {
        if (!text.startsWith("@")) {
            return text;
        }
        if (text.equals("@metadata.name") || text.equals("@" + CREATION)) {
            return metadataDescription(text.substring("@metadata.".length()));
        }
        @Nullable Schema at = Schemas.find(kind).orElse(null);
        for (String step : text.substring(1).split("\\.", -1)) {
            at = at == null ? null : at.property(step);
        }
        return at == null ? "" : at.description();
    }

    private static String metadataDescription(String field) {
        return Schemas.definition("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
                .map(metadata -> metadata.property(field))
                .map(Schema::description)
                .orElse("");
    }

    ArrayNode cells(Row row) {
        ArrayNode cells = Json.array();
        for (Column column : columns) {
            switch (column.cell().of(row)) {
                case null -> cells.addNull();
                case Long number -> cells.add(number);
                case Double number -> cells.add(number);
                case Boolean flag -> cells.add(flag);
                case Object text -> cells.add(text.toString());
            }
        }
        return cells;
    }

    /** Finished pods are marked, so that clients can leave them out. */
    ArrayNode conditions(Row row) {
        ArrayNode conditions = Json.array();
        if (!kind.kind().equals("Pod") || !kind.group().isEmpty()) {
            return conditions;
        }
        String phase = row.text("status.phase");
        String message = switch (phase) {
            case "Succeeded" -> "The pod has completed successfully.";
            case "Failed" -> "The pod failed.";
            default -> "";
        };
        if (!message.isEmpty()) {
            conditions
                    .addObject()
                    .put("type", "Completed")
                    .put("status", "True")
                    .put("reason", phase)
                    .put("message", message);
        }
        return conditions;
    }
}
