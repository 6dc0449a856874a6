package io.atoll.apiserver.registry;

import io.atoll.model.GroupResource;
import io.atoll.model.ResourceType;

/**
 * How requests on one resource at one version are carried out. Immutable; built-in ones are shared by all clusters.
 *
 * @param storage the type whose objects are in the store: another version of the same, or for events another group
 * @param conversion between the served version and the stored one
 * @param fields what field selectors may name
 * @param scale where the number of replicas stands, if there is a {@code scale} subresource
 */
public record Endpoint(
        ServedResource served,
        ResourceType storage,
        Conversion conversion,
        Strategy strategy,
        SelectableFields fields,
        ScalePaths scale) {

    public ResourceType type() {
        return served.type();
    }

    public GroupResource resource() {
        return served.type().groupResource();
    }

    /** Where its objects lie in the store. */
    public GroupResource storedAs() {
        return storage.groupResource();
    }

    public boolean hasStatus() {
        return served.subresource("status").isPresent();
    }
}
