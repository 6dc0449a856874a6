package io.atoll.apiserver.registry;

import io.atoll.model.ResourceType;
import io.atoll.model.Subresource;
import io.atoll.model.schema.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A resource at a version, as this cluster serves it. Immutable; built-in ones are shared by all clusters.
 *
 * @param custom true when a CustomResourceDefinition made it
 * @param printerColumns of a custom resource; empty for the default ones, and for built-in types
 * @param schemaSource gives the schema when it is first needed
 */
public record ServedResource(
        ResourceType type, boolean custom, List<PrinterColumn> printerColumns, Supplier<Schema> schemaSource) {

    public ServedResource {
        printerColumns = List.copyOf(printerColumns);
    }

    public Schema schema() {
        return schemaSource.get();
    }

    /** As discovery lists them; {@code create} alone for reviews. */
    public List<String> verbs() {
        return type.verbs();
    }

    public boolean allows(String verb) {
        return type.verbs().contains(verb);
    }

    /** In order of name. */
    public List<Subresource> subresources() {
        return type.subresources().values().stream()
                .sorted(Comparator.comparing(Subresource::name))
                .toList();
    }

    public Optional<Subresource> subresource(String name) {
        return Optional.ofNullable(type.subresources().get(name));
    }
}
