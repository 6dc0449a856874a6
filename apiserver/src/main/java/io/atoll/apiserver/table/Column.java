package io.atoll.apiserver.table;

import org.jspecify.annotations.Nullable;

/**
 * One column of a Table and how its cells are computed. Immutable.
 *
 * @param type an OpenAPI type: string, integer, number, boolean or date
 * @param format an OpenAPI format; {@code name} marks the column that names the object
 * @param description plain text, or {@code @path} to take it from the field's documentation in the schema
 * @param priority 0 is always shown, 1 with {@code -o wide}
 */
record Column(String name, String type, String format, String description, int priority, Cell cell) {

    /** Computes one cell: text, a number, a boolean, or null for nothing. */
    @FunctionalInterface
    interface Cell {
        @Nullable
        Object of(Row row);
    }

    static Column named(Cell cell) {
        return new Column("Name", "string", "name", "@metadata.name", 0, cell);
    }

    static Column named() {
        return named(Row::name);
    }

    static Column age() {
        return new Column("Age", "string", "", "@metadata.creationTimestamp", 0, Row::age);
    }

    static Column text(String name, String description, Cell cell) {
        return new Column(name, "string", "", description, 0, cell);
    }

    /** A text column that shows a field as it is. */
    static Column text(String name, String path) {
        return text(name, "@" + path, row -> row.text(path));
    }

    /** A text column with a stand-in for an absent field. */
    static Column text(String name, String path, String otherwise, String description) {
        return text(name, description, row -> row.textOr(path, otherwise));
    }

    static Column integer(String name, String path) {
        return integer(name, "@" + path, row -> row.integer(path));
    }

    static Column integer(String name, String description, Cell cell) {
        return new Column(name, "integer", "", description, 0, cell);
    }

    static Column bool(String name, String path, boolean otherwise) {
        return new Column(name, "boolean", "", "@" + path, 0, row -> row.bool(path, otherwise));
    }

    /** The same column, shown with {@code -o wide} only. */
    Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }
}
