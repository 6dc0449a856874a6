package io.atoll.apiserver.verb;

import java.util.Optional;

/** Which verb answers for a subresource. Stateless. */
final class Subresources {
    private Subresources() {}

    static Optional<Verb> find(Call call) {
        String name = call.path().subresource();
        String verb = call.path().verb();
        ClusterParts.CreatorKey key =
                new ClusterParts.CreatorKey(call.endpoint().resource(), name);
        if (call.parts().creators().containsKey(key)) {
            return Optional.of(new CreateOnly(key));
        }
        if (call.endpoint().served().subresource(name).isEmpty()) {
            return Optional.empty();
        }
        return switch (name) {
            case "status" -> Router.plain(verb);
            default -> Optional.empty();
        };
    }
}
