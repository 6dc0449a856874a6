package io.atoll.apiserver.quota;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;

/** Enforces LimitRanges and ResourceQuotas. */
public final class QuotaExtension implements Extension {
    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        registrar.admission(new LimitRanger(cluster.objects()));
        registrar.admission(new QuotaCheck(cluster.objects(), cluster.clock()));
    }
}
