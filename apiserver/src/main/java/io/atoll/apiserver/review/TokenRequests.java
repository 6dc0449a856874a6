package io.atoll.apiserver.review;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.authn.TokenSpec;
import io.atoll.apiserver.authn.TokenSpec.ObjectIdentity;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.Extension.CreateCall;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Issues tokens: POSTs to {@code serviceaccounts/token}. Stateless; any thread. */
final class TokenRequests {
    private static final GroupResource SERVICE_ACCOUNTS = new GroupResource("", "serviceaccounts");
    private static final GroupVersionKind KIND = new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");
    private static final Duration LIFE_MIN = Duration.ofMinutes(10);
    private static final long LIFE_SECONDS_MAX = 1L << 32;
    private static final long LIFE_SECONDS_DEFAULT = 3600;

    private final ServiceAccountTokens tokens;
    private final ObjectReader objects;

    TokenRequests(ServiceAccountTokens tokens, ObjectReader objects) {
        this.tokens = tokens;
        this.objects = objects;
    }

    void register(Extension.Registrar registrar) {
        registrar.create(SERVICE_ACCOUNTS, "token", this::issue);
    }

    private ObjectNode issue(CreateCall call) {
        ObjectNode account = read(SERVICE_ACCOUNTS, call.namespace(), call.name());
        JsonNode spec = call.body().path("spec");
        long seconds = spec.path("expirationSeconds").asLong(LIFE_SECONDS_DEFAULT);
        checkLife(call, seconds);
        List<String> audiences = new ArrayList<>();
        spec.path("audiences").forEach(audience -> audiences.add(audience.asString("")));
        if (audiences.isEmpty()) {
            audiences.add(tokens.issuer());
        }
        TokenSpec token = TokenSpec.of(call.namespace(), identity(account), audiences, Duration.ofSeconds(seconds));
        JsonNode bound = spec.path("boundObjectRef");
        ServiceAccountTokens.Issued issued = tokens.issue(bound.isObject() ? bind(token, call, bound) : token);
        return answer(call, seconds, audiences, issued);
    }

    private static void checkLife(CreateCall call, long seconds) {
        String why = "";
        if (seconds < LIFE_MIN.toSeconds()) {
            why = "may not specify a duration less than 10 minutes";
        } else if (seconds > LIFE_SECONDS_MAX) {
            why = "may not specify a duration larger than 2^32 seconds";
        }
        if (!why.isEmpty()) {
            throw ApiException.invalid(
                    KIND,
                    call.name(),
                    List.of(new ApiException.Cause(
                            "FieldValueInvalid", "Invalid value: " + seconds + ": " + why, "spec.expirationSeconds")));
        }
    }

    private TokenSpec bind(TokenSpec token, CreateCall call, JsonNode reference) {
        String name = reference.path("name").asString("");
        String kind = reference.path("kind").asString("");
        return switch (kind) {
            case "Pod" -> bindToPod(token, call, readBound("pods", call.namespace(), name, reference));
            case "Secret" -> token.boundToSecret(identity(readBound("secrets", call.namespace(), name, reference)));
            case "Node" -> token.boundToNode(identity(readBound("nodes", "", name, reference)));
            default ->
                throw ApiException.badRequest("cannot bind token to object of type "
                        + GroupVersionKind.of(reference.path("apiVersion").asString(""), kind));
        };
    }

    private TokenSpec bindToPod(TokenSpec token, CreateCall call, ObjectNode pod) {
        String runsAs = pod.path("spec").path("serviceAccountName").asString("");
        if (!runsAs.equals(call.name())) {
            throw ApiException.badRequest("cannot bind token for serviceaccount \"" + call.name()
                    + "\" to pod running with different serviceaccount name.");
        }
        return token.boundToPod(identity(pod), node(pod));
    }

    private Optional<ObjectIdentity> node(ObjectNode pod) {
        String name = pod.path("spec").path("nodeName").asString("");
        return objects.get(new GroupResource("", "nodes"), "", name).map(node -> identity(Json.parse(node)));
    }

    private ObjectNode readBound(String resource, String namespace, String name, JsonNode reference) {
        GroupResource type = new GroupResource("", resource);
        ObjectNode object = read(type, namespace, name);
        String uid = reference.path("uid").asString("");
        if (!uid.isEmpty() && !uid.equals(Metadata.uid(object))) {
            throw ApiException.conflict(
                    type,
                    name,
                    "the UID in the bound object reference (" + uid + ") does not match the UID in record."
                            + " The object might have been deleted and then recreated");
        }
        return object;
    }

    private ObjectNode read(GroupResource type, String namespace, String name) {
        return Json.parse(objects.get(type, namespace, name).orElseThrow(() -> ApiException.notFound(type, name)));
    }

    private static ObjectIdentity identity(ObjectNode object) {
        return new ObjectIdentity(Metadata.name(object), Metadata.uid(object));
    }

    private static ObjectNode answer(
            CreateCall call, long seconds, List<String> audiences, ServiceAccountTokens.Issued issued) {
        ObjectNode answer = Json.object().put("kind", KIND.kind()).put("apiVersion", KIND.apiVersion());
        Instant now = issued.expires().minusSeconds(seconds);
        answer.putObject("metadata")
                .put("name", call.name())
                .put("namespace", call.namespace())
                .put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
        ObjectNode spec = answer.putObject("spec");
        audiences.forEach(spec.putArray("audiences")::add);
        spec.put("expirationSeconds", seconds);
        JsonNode bound = call.body().path("spec").path("boundObjectRef");
        if (bound.isObject()) {
            spec.set("boundObjectRef", bound);
        } else {
            spec.putNull("boundObjectRef");
        }
        answer.putObject("status")
                .put("token", issued.token())
                .put(
                        "expirationTimestamp",
                        issued.expires().truncatedTo(ChronoUnit.SECONDS).toString());
        return answer;
    }
}
