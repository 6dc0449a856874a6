package io.atoll.apiserver.verb;

import java.util.Map;
import java.util.Optional;

/** Which verb answers for a subresource. Immutable. */
final class Subresources {
    private static final Map<String, Verb> SPECIAL = Map.of(
            "scale", new Scale(),
            "binding", new Binding(),
            "eviction", new Eviction(),
            "log", new Log(),
            "exec", new Exec(),
            "attach", new Exec(),
            "portforward", new PortForward());

    private Subresources() {}

    static Optional<Verb> find(Call call) {
        String name = call.path().subresource();
        ClusterParts.CreatorKey key =
                new ClusterParts.CreatorKey(call.endpoint().resource(), name);
        if (call.parts().creators().containsKey(key)) {
            return Optional.of(new CreateOnly(key));
        }
        // Discovery tells of proxy as Kubernetes does, but there is nothing to proxy to.
        if (call.endpoint().served().subresource(name).isEmpty() || name.equals("proxy")) {
            return Optional.empty();
        }
        Verb special = SPECIAL.get(name);
        if (special != null) {
            return Optional.of(special);
        }
        return switch (call.path().verb()) {
            case "get", "update", "patch" -> Router.plain(call.path().verb());
            default -> Optional.empty();
        };
    }
}
