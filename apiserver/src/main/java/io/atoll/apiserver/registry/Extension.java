package io.atoll.apiserver.registry;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.authz.Authorizer;
import io.atoll.model.GroupResource;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A part of the API that plugs into the routing: discovery, OpenAPI, authorization, reviews, tables.
 *
 * <p>One instance may serve many clusters: what belongs to one cluster is made in {@link #install}.
 */
public interface Extension {
    /** Called once while a cluster opens, before it answers requests. */
    void install(ClusterContext cluster, Registrar registrar);

    /** Takes what an extension brings. */
    interface Registrar {
        /** The one that decides; the last registered counts. */
        void authorizer(Authorizer authorizer);

        /** Serves a path and everything below it that is no resource, e.g. {@code /openapi/v3}. Already authorized. */
        void path(String prefix, PathHandler handler);

        /**
         * Answers POSTs that store nothing: reviews, and subresources such as {@code serviceaccounts/token}.
         *
         * @param subresource empty for the resource itself
         */
        void create(GroupResource resource, String subresource, CreateHandler handler);

        void views(Views views);

        /** Added after the built-in admission plugins. */
        void admission(Admission plugin);

        /** Objects to create, with the first ones, in a cluster that is opened for the first time. */
        void bootstrap(List<ObjectNode> objects);
    }

    /** Answers requests on a path that is no resource. */
    interface PathHandler {
        ApiResponse handle(ApiRequest request);
    }

    /** Answers a POST that stores nothing; what it returns goes out with 201. Failures are ApiExceptions. */
    interface CreateHandler {
        ObjectNode create(CreateCall call);
    }

    /**
     * A POST for a {@link CreateHandler}.
     *
     * @param namespace empty when cluster scoped
     * @param name of the object whose subresource it is; else empty
     */
    record CreateCall(
            UserInfo user, ServedResource resource, String namespace, String name, ObjectNode body, boolean dryRun) {}
}
