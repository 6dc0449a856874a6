package io.atoll.apiserver.registry;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Other forms of objects that clients ask for by {@code Accept ...;as=Table}. Any thread. */
public interface Views {
    /**
     * A {@code meta.k8s.io/v1 Table}, without list metadata: the caller sets that.
     *
     * @param objects encoded objects in the version of the resource
     */
    ObjectNode table(ServedResource resource, List<byte[]> objects, TableOptions options);

    /** An object's {@code meta.k8s.io/v1 PartialObjectMetadata}. */
    ObjectNode partial(byte[] object);

    /**
     * How much a table holds.
     *
     * @param headers false leaves {@code columnDefinitions} empty: later events of a watch
     */
    record TableOptions(IncludeObject includeObject, boolean headers) {}

    /** The query parameter {@code includeObject}. */
    enum IncludeObject {
        NONE,
        METADATA,
        OBJECT
    }
}
