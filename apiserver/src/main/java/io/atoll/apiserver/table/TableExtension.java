package io.atoll.apiserver.table;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;

/** Gives a cluster its Tables and metadata-only forms. */
public final class TableExtension implements Extension {
    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        registrar.views(new TablePrinter(cluster.clock()));
    }
}
