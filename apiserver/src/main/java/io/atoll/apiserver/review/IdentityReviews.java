package io.atoll.apiserver.review;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.Extension.CreateCall;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers who a caller or a token's bearer is: {@code authentication.k8s.io/v1}. Stateless; any thread. */
final class IdentityReviews {
    private static final String GROUP = "authentication.k8s.io";

    private final ServiceAccountTokens tokens;

    IdentityReviews(ServiceAccountTokens tokens) {
        this.tokens = tokens;
    }

    void register(Extension.Registrar registrar) {
        registrar.create(new GroupResource(GROUP, "selfsubjectreviews"), "", IdentityReviews::self);
        registrar.create(new GroupResource(GROUP, "tokenreviews"), "", this::ofToken);
    }

    private static ObjectNode self(CreateCall call) {
        ObjectNode status = Json.object();
        status.set("userInfo", user(call.user()));
        return answer(call, status);
    }

    private ObjectNode ofToken(CreateCall call) {
        JsonNode spec = call.body().path("spec");
        String token = spec.path("token").asString("");
        if (token.isEmpty()) {
            throw ApiException.badRequest("token is required for TokenReview in authentication");
        }
        List<String> audiences = new ArrayList<>();
        spec.path("audiences").forEach(audience -> audiences.add(audience.asString("")));
        Optional<ServiceAccountTokens.Verified> verified = tokens.verify(token, audiences);
        ObjectNode status = Json.object();
        if (verified.isPresent()) {
            status.put("authenticated", true);
            status.set("user", user(verified.get().user()));
            verified.get().audiences().forEach(status.putArray("audiences")::add);
        } else {
            status.putObject("user");
            status.put("error", "invalid bearer token");
        }
        return answer(call, status);
    }

    private static ObjectNode user(UserInfo user) {
        ObjectNode info = Json.object().put("username", user.name());
        if (!user.uid().isEmpty()) {
            info.put("uid", user.uid());
        }
        if (!user.groups().isEmpty()) {
            user.groups().forEach(info.putArray("groups")::add);
        }
        if (!user.extra().isEmpty()) {
            ObjectNode extra = info.putObject("extra");
            for (Map.Entry<String, List<String>> entry : new TreeMap<>(user.extra()).entrySet()) {
                entry.getValue().forEach(extra.putArray(entry.getKey())::add);
            }
        }
        return info;
    }

    private static ObjectNode answer(CreateCall call, ObjectNode status) {
        ObjectNode answer = call.body().deepCopy();
        answer.put("kind", call.resource().type().kind());
        answer.put("apiVersion", call.resource().type().apiVersion());
        Json.child(answer, "metadata");
        answer.set("status", status);
        return answer;
    }
}
