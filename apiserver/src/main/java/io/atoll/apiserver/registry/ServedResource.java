package io.atoll.apiserver.registry;

import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;

/**
 * A resource at a version, as this cluster serves it. Immutable; built-in ones are shared by all clusters.
 *
 * @param verbs as discovery lists them, sorted; {@code create} alone for reviews
 * @param subresources in order of name
 * @param custom true when a CustomResourceDefinition made it
 * @param printerColumns of a custom resource; empty for the default ones, and for built-in types
 */
public record ServedResource(
        ResourceType type,
        List<String> verbs,
        List<Subresource> subresources,
        boolean custom,
        List<PrinterColumn> printerColumns) {

    public ServedResource {
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
        printerColumns = List.copyOf(printerColumns);
    }

    public boolean allows(String verb) {
        return verbs.contains(verb);
    }

    public Optional<Subresource> subresource(String name) {
        for (Subresource subresource : subresources) {
            if (subresource.name().equals(name)) {
                return Optional.of(subresource);
            }
        }
        return Optional.empty();
    }
}
