package io.atoll.apiserver.verb;

import io.atoll.apiserver.authz.Authorizer;
import io.atoll.apiserver.registry.Extension.CreateHandler;
import io.atoll.apiserver.registry.Extension.PathHandler;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.registry.Views;
import io.atoll.model.GroupResource;
import io.atoll.model.pod.PodStreams;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What the verbs of one cluster work with. Immutable once the cluster is open.
 *
 * @param views empty when nothing brings Tables
 * @param paths handlers by the path that they serve
 * @param creators handlers of POSTs that store nothing
 */
public record ClusterParts(
        Registry registry,
        Authorizer authorizer,
        Optional<Views> views,
        Optional<PodStreams> podStreams,
        SortedMap<String, PathHandler> paths,
        Map<CreatorKey, CreateHandler> creators) {

    /** A resource and one of its subresources; an empty one is the resource itself. */
    public record CreatorKey(GroupResource resource, String subresource) {}
}
