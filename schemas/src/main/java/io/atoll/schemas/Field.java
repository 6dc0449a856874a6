package io.atoll.schemas;

import java.util.List;

/**
 * One field of a definition.
 *
 * @param name as in JSON
 * @param number on the wire; zero for {@code apiVersion} and {@code kind}, which travel in the envelope
 * @param presence {@code OMIT_ZERO}, {@code OPTIONAL} or {@code ALWAYS}
 * @param listType {@code atomic}, {@code set}, {@code map} or empty
 * @param patchStrategies {@code merge}, {@code replace}, {@code retainKeys}
 * @param defaultJson the default value as JSON; empty for none
 * @param description index of a text
 */
public record Field(
        String name,
        int number,
        Shape shape,
        boolean required,
        String presence,
        String listType,
        List<String> listMapKeys,
        boolean atomicMap,
        List<String> patchStrategies,
        String patchMergeKey,
        String defaultJson,
        List<String> enumValues,
        int description) {}
