package io.atoll.apiserver.authz;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.UserInfo;
import io.atoll.model.GroupResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Role-based access control over the roles and bindings in one cluster's watch cache.
 *
 * <p>Nothing is read or kept before the first request of somebody who is no cluster administrator, so an idle cluster
 * costs nothing. From then on the index is rebuilt after a change, when it is next needed. Any thread.
 */
public final class RbacAuthorizer implements Authorizer {
    private static final List<String> RESOURCES =
            List.of("clusterroles", "roles", "clusterrolebindings", "rolebindings");

    private final ObjectReader objects;
    private final Object lock = new Object();
    private boolean subscribed;
    private long changes;
    private volatile @Nullable RbacIndex index;

    public RbacAuthorizer(ObjectReader objects) {
        this.objects = objects;
    }

    @Override
    public Decision authorize(Attributes request) {
        if (request.user().groups().contains(UserInfo.SYSTEM_MASTERS)) {
            return Decision.allow("");
        }
        RbacIndex current = index();
        List<String> missing = new ArrayList<>();
        Optional<Decision> decision = decide(current.grants(request.user(), ""), request, missing);
        if (decision.isEmpty() && !request.namespace().isEmpty()) {
            decision = decide(current.grants(request.user(), request.namespace()), request, missing);
        }
        return decision.orElseGet(() -> Decision.deny(denial(missing)));
    }

    private static Optional<Decision> decide(List<RbacIndex.Grant> grants, Attributes request, List<String> missing) {
        for (RbacIndex.Grant grant : grants) {
            if (grant.rules().isEmpty()) {
                missing.add(notFound(grant.binding().role()));
                continue;
            }
            for (PolicyRule rule : grant.rules().get()) {
                if (rule.allows(request)) {
                    return Optional.of(Decision.allow(reason(grant)));
                }
            }
        }
        return Optional.empty();
    }

    private static String reason(RbacIndex.Grant grant) {
        Binding binding = grant.binding();
        String where = binding.namespace().isEmpty() ? binding.name() : binding.name() + "/" + binding.namespace();
        return "RBAC: allowed by " + binding.kind() + " \"" + where + "\" of "
                + binding.role().kind() + " \"" + binding.role().name() + "\" to " + grant.subject();
    }

    private static String denial(List<String> missing) {
        if (missing.isEmpty()) {
            return "";
        }
        return missing.size() == 1 ? "RBAC: " + missing.getFirst() : "RBAC: [" + String.join(", ", missing) + "]";
    }

    static String notFound(RoleKey role) {
        String kind = role.clusterRole() ? "clusterrole" : "role";
        return kind + "." + BootstrapPolicy.GROUP + " \"" + role.name() + "\" not found";
    }

    /** The rules that hold for a user in a namespace: for reviews and escalation checks. */
    List<PolicyRule> rulesFor(UserInfo user, String namespace) {
        return user.groups().contains(UserInfo.SYSTEM_MASTERS)
                ? PolicyRule.EVERYTHING
                : index().rulesFor(user, namespace);
    }

    Optional<List<PolicyRule>> rulesOf(RoleKey role) {
        return index().rules(role);
    }

    private RbacIndex index() {
        RbacIndex current = index;
        return current == null ? rebuild() : current;
    }

    private RbacIndex rebuild() {
        subscribe();
        while (true) {
            long before;
            synchronized (lock) {
                before = changes;
            }
            RbacIndex built = RbacIndex.read(objects);
            synchronized (lock) {
                if (changes == before) {
                    index = built;
                    return built;
                }
            }
        }
    }

    private void subscribe() {
        synchronized (lock) {
            if (subscribed) {
                return;
            }
            subscribed = true;
        }
        for (String resource : RESOURCES) {
            objects.subscribe(new GroupResource(BootstrapPolicy.GROUP, resource), new Invalidation());
        }
    }

    private void invalidate() {
        synchronized (lock) {
            changes++;
            index = null;
        }
    }

    /** Drops the index after any change; lives as long as the cluster. */
    private final class Invalidation implements ObjectReader.Listener {
        @Override
        public void onAdded(byte[] object) {
            invalidate();
        }

        @Override
        public void onUpdated(byte[] before, byte[] object) {
            invalidate();
        }

        @Override
        public void onDeleted(byte[] last) {
            invalidate();
        }
    }
}
