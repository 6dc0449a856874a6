package io.atoll.apiserver;

import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.admission.DefaultStorageClass;
import io.atoll.apiserver.admission.NamespaceLifecycle;
import io.atoll.apiserver.admission.PodPriority;
import io.atoll.apiserver.admission.ServiceAccountAdmission;
import io.atoll.apiserver.authz.Authorizer;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.registry.Views;
import io.atoll.apiserver.verb.ClusterParts.CreatorKey;
import io.atoll.apiserver.verb.Health;
import io.atoll.model.GroupResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Takes in what the extensions of one cluster bring, while it opens. One thread. */
final class Installation implements Extension.Registrar {
    private Authorizer authorizer = Authorizer.ALLOW_ALL;
    private @Nullable Views views;
    private final Map<String, Extension.PathHandler> paths = new HashMap<>();
    private final Map<CreatorKey, Extension.CreateHandler> creators = new HashMap<>();
    private final List<Admission> admission = new ArrayList<>();
    private final List<ObjectNode> bootstrap = new ArrayList<>();

    @Override
    public void authorizer(Authorizer chosen) {
        authorizer = chosen;
    }

    @Override
    public void path(String prefix, Extension.PathHandler handler) {
        paths.put(prefix, handler);
    }

    @Override
    public void create(GroupResource resource, String subresource, Extension.CreateHandler handler) {
        creators.put(new CreatorKey(resource, subresource), handler);
    }

    @Override
    public void views(Views chosen) {
        views = chosen;
    }

    @Override
    public void admission(Admission plugin) {
        admission.add(plugin);
    }

    @Override
    public void bootstrap(List<ObjectNode> objects) {
        bootstrap.addAll(objects);
    }

    Authorizer authorizer() {
        return authorizer;
    }

    Optional<Views> views() {
        return Optional.ofNullable(views);
    }

    Map<String, Extension.PathHandler> paths(Health health) {
        health.register(paths);
        return paths;
    }

    Map<CreatorKey, Extension.CreateHandler> creators() {
        return Map.copyOf(creators);
    }

    /** The built-in plugins, in Kubernetes' order, then those of the extensions. */
    List<Admission> admission(Registry registry) {
        List<Admission> chain = new ArrayList<>();
        chain.add(new NamespaceLifecycle(registry));
        chain.add(new ServiceAccountAdmission(registry));
        chain.add(new PodPriority(registry));
        chain.add(new DefaultStorageClass(registry));
        chain.addAll(admission);
        return chain;
    }

    List<ObjectNode> bootstrap() {
        return bootstrap;
    }
}
