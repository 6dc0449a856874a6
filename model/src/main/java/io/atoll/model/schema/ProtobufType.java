package io.atoll.model.schema;

/** How a value is written in protobuf; the list and map forms follow from the schema's type. */
public enum ProtobufType {
    /** Not on the wire: custom resources. */
    NONE,
    STRING,
    BYTES,
    BOOL,
    INT32,
    INT64,
    DOUBLE,
    /** A message whose fields are the schema's properties. */
    MESSAGE,
    /** {@code Quantity}: the text in a message. */
    QUANTITY,
    /** {@code Time}: RFC 3339 text in JSON, seconds and nanoseconds on the wire, whole seconds only. */
    TIME,
    /** {@code MicroTime}: as {@link #TIME} with microseconds. */
    MICRO_TIME,
    INT_OR_STRING,
    /** {@code RawExtension}, {@code FieldsV1}, {@code JSON}: JSON bytes in a message. */
    RAW_JSON,
    /** {@code Verbs}, {@code ExtraValue}: a list of strings in a message. */
    STRING_LIST,
    /** {@code JSONSchemaPropsOrBool}. */
    SCHEMA_OR_BOOL,
    /** {@code JSONSchemaPropsOrArray}. */
    SCHEMA_OR_ARRAY,
    /** {@code JSONSchemaPropsOrStringArray}. */
    SCHEMA_OR_STRING_ARRAY
}
