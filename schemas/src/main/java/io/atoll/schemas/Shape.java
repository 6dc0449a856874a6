package io.atoll.schemas;

/** What a field holds. */
public sealed interface Shape {
    /** One value; the name of a protobuf scalar: STRING, BYTES, BOOL, INT32, INT64, DOUBLE. */
    record Scalar(String kind) implements Shape {}

    /** Another definition, by name. */
    record Reference(String definition) implements Shape {}

    record ListOf(Shape items) implements Shape {}

    /** A map with string keys. */
    record MapOf(Shape values) implements Shape {}

    /** A list of strings that protobuf wraps into a message of its own. */
    record StringList() implements Shape {}
}
