package io.atoll.apiserver.registry;

/**
 * A column of {@code kubectl get} that a CustomResourceDefinition asks for. Immutable.
 *
 * @param type {@code string, integer, number, boolean, date}
 * @param priority above zero: only in wide output
 * @param jsonPath e.g. {@code .status.phase}
 */
public record PrinterColumn(
        String name, String type, String format, String description, int priority, String jsonPath) {}
