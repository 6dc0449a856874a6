package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authn.Impersonation;
import io.atoll.apiserver.authz.Attributes;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.registry.Extension.PathHandler;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.store.StoreUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From a request to the verb that carries it out: who asks, for what, may they, and then run it. Any thread; one for
 * each cluster.
 */
public final class Router {
    private static final System.Logger LOG = System.getLogger(Router.class.getName());
    private static final Map<String, Verb> VERBS = Map.of(
            "get", new Get(),
            "list", new ListObjects(),
            "watch", new Watch(),
            "create", new Create(),
            "update", new Replace(),
            "patch", new Patch(),
            "delete", new Delete(),
            "deletecollection", new DeleteCollection());

    private final ClusterParts parts;

    public Router(ClusterParts parts) {
        this.parts = parts;
    }

    /** Authorizes and answers; a failure becomes a Status. */
    public ApiResponse handle(ApiRequest request) {
        try {
            return route(request);
        } catch (ApiException e) {
            return Responses.failure(e, format(request), List.of());
        } catch (StoreUnavailableException e) {
            return Responses.failure(
                    new ApiException(StatusReason.ServiceUnavailable, "the store is not available: " + e.getMessage()),
                    format(request),
                    List.of());
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, request.method() + " " + request.path() + " failed", e);
            return Responses.failure(
                    new ApiException(StatusReason.InternalError, "Internal error occurred: " + e.getMessage()),
                    format(request),
                    List.of());
        }
    }

    private ApiResponse route(ApiRequest request) {
        RequestPath path = RequestPath.of(request);
        UserInfo user = effectiveUser(request);
        Access.require(parts.authorizer(), Access.attributes(user, path.verb(), path, request));
        if (!path.isResource()) {
            return handler(request.path()).handle(as(request, user));
        }
        Endpoint endpoint = parts.registry()
                .endpoints()
                .endpoint(path.group(), path.version(), path.resource())
                .orElseThrow(() -> noSuchResource(path));
        boolean fits = endpoint.type().namespaced()
                ? !path.namespace().isEmpty() || path.name().isEmpty()
                : path.namespace().isEmpty();
        if (!fits) {
            throw noSuchResource(path);
        }
        Output output = Output.negotiate(
                request.header("accept", ""),
                !endpoint.served().custom()
                        && Encodings.supports(endpoint.type().groupVersionKind()),
                parts.views().isPresent());
        Call call = Call.of(parts, request, user, path, endpoint, output);
        return verb(call).run(call);
    }

    /** Who the request counts for: the impersonated user, if the caller may impersonate all that it asks for. */
    private UserInfo effectiveUser(ApiRequest request) {
        Impersonation wish = Impersonation.of(request.headers()).orElse(null);
        if (wish == null) {
            return request.user();
        }
        for (Impersonation.Check check : wish.checks()) {
            Access.require(
                    parts.authorizer(),
                    new Attributes(
                            request.user(),
                            "impersonate",
                            check.group(),
                            "v1",
                            check.resource(),
                            check.subresource(),
                            check.namespace(),
                            check.name(),
                            ""));
        }
        return wish.user();
    }

    private Verb verb(Call call) {
        RequestPath path = call.path();
        if (!path.subresource().isEmpty()) {
            return Subresources.find(call).orElseThrow(() -> noSuchResource(path));
        }
        ClusterParts.CreatorKey key =
                new ClusterParts.CreatorKey(call.endpoint().resource(), "");
        boolean nowhere =
                call.endpoint().type().namespaced() && path.namespace().isEmpty();
        boolean fits = switch (path.verb()) {
            case "create" -> path.name().isEmpty() && !nowhere;
            case "deletecollection" -> !nowhere;
            default -> true;
        };
        Verb verb = VERBS.get(path.verb());
        if (verb == null || !fits || !call.endpoint().served().allows(path.verb())) {
            throw new ApiException(
                    StatusReason.MethodNotAllowed, "the server does not allow this method on the requested resource");
        }
        if (key.resource().equals(Binding.BINDINGS)) {
            return new Binding();
        }
        return path.verb().equals("create") && parts.creators().containsKey(key) ? new CreateOnly(key) : verb;
    }

    /** The handler of the longest path that the request's path starts with. */
    private PathHandler handler(String path) {
        for (String prefix = path; ; prefix = prefix.substring(0, prefix.lastIndexOf('/'))) {
            PathHandler found = parts.paths().get(prefix.isEmpty() ? "/" : prefix);
            if (found != null) {
                return found;
            }
            if (prefix.isEmpty() || prefix.lastIndexOf('/') < 0) {
                throw new ApiException(StatusReason.NotFound, "the server could not find the requested resource");
            }
        }
    }

    private static ApiException noSuchResource(RequestPath path) {
        return new ApiException(
                StatusReason.NotFound,
                404,
                "the server could not find the requested resource",
                new ApiException.Details(path.group(), path.resource(), path.name(), List.of(), 0));
    }

    private static ApiRequest as(ApiRequest request, UserInfo user) {
        return new ApiRequest(
                request.method(), request.path(), request.query(), request.headers(), request.body(), user);
    }

    private static Output.Format format(ApiRequest request) {
        try {
            return Output.negotiate(request.header("accept", ""), Encodings.supportsStatus(), true)
                    .format();
        } catch (ApiException _) {
            return Output.Format.JSON;
        }
    }

    static Optional<Verb> plain(String verb) {
        return Optional.ofNullable(VERBS.get(verb));
    }
}
