package io.atoll.schemas;

import java.util.List;
import java.util.Map;

/**
 * One type, named as OpenAPI names it: {@code io.k8s.api.core.v1.Pod}.
 *
 * @param encoding {@code MESSAGE}, or the name of a well-known type's own encoding, e.g. {@code QUANTITY}
 * @param kinds {@code group/version/Kind} of the objects that have this type; the core group is empty
 * @param fields by name, without the inlined ones
 * @param inlined definitions whose fields JSON shows here, by field number
 * @param description index of a text
 */
public record Definition(
        String name,
        String encoding,
        boolean atomicMap,
        List<String> kinds,
        List<Field> fields,
        Map<Integer, String> inlined,
        int description) {}
