package io.atoll.apiserver.authz;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;

/** Role-based access control: the authorizer, reviews, protection against escalation, and a new cluster's roles. */
public final class RbacExtension implements Extension {
    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        RbacAuthorizer authorizer = new RbacAuthorizer(cluster.objects());
        registrar.authorizer(authorizer);
        registrar.admission(new EscalationCheck(authorizer));
        new AccessReviews(authorizer).register(registrar);
        registrar.bootstrap(BootstrapPolicy.objects());
    }
}
