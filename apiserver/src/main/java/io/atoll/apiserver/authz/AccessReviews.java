package io.atoll.apiserver.authz;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.Extension.CreateCall;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers what users may do: {@code authorization.k8s.io/v1}. Stateless; any thread. */
final class AccessReviews {
    private static final String GROUP = "authorization.k8s.io";

    private final RbacAuthorizer authorizer;

    AccessReviews(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    void register(Extension.Registrar registrar) {
        registrar.create(new GroupResource(GROUP, "selfsubjectaccessreviews"), "", this::self);
        registrar.create(new GroupResource(GROUP, "subjectaccessreviews"), "", this::ofSubject);
        registrar.create(new GroupResource(GROUP, "localsubjectaccessreviews"), "", this::local);
        registrar.create(new GroupResource(GROUP, "selfsubjectrulesreviews"), "", this::rules);
    }

    private ObjectNode self(CreateCall call) {
        return reviewed(call, call.user());
    }

    private ObjectNode ofSubject(CreateCall call) {
        return reviewed(call, subject(call));
    }

    private ObjectNode local(CreateCall call) {
        String namespace = call.body()
                .path("spec")
                .path("resourceAttributes")
                .path("namespace")
                .asString("");
        if (!namespace.equals(call.namespace())) {
            throw invalid(
                    call,
                    "spec.resourceAttributes.namespace",
                    "\"" + namespace + "\"",
                    "must match metadata.namespace");
        }
        return reviewed(call, subject(call));
    }

    private ObjectNode reviewed(CreateCall call, UserInfo user) {
        Authorizer.Decision decision = authorizer.authorize(attributes(call, user));
        ObjectNode status = Json.object().put("allowed", decision.allowed());
        if (!decision.reason().isEmpty()) {
            status.put("reason", decision.reason());
        }
        return answer(call, status);
    }

    private static Attributes attributes(CreateCall call, UserInfo user) {
        JsonNode resource = call.body().path("spec").path("resourceAttributes");
        JsonNode path = call.body().path("spec").path("nonResourceAttributes");
        if (resource.isObject() == path.isObject()) {
            throw invalid(
                    call,
                    "spec.resourceAttributes",
                    "null",
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        if (path.isObject()) {
            return Attributes.ofPath(user, text(path, "verb"), text(path, "path"));
        }
        return new Attributes(
                user,
                text(resource, "verb"),
                text(resource, "group"),
                text(resource, "version"),
                text(resource, "resource"),
                text(resource, "subresource"),
                text(resource, "namespace"),
                text(resource, "name"),
                "");
    }

    private static UserInfo subject(CreateCall call) {
        JsonNode spec = call.body().path("spec");
        List<String> groups = strings(spec.path("groups"));
        String user = text(spec, "user");
        if (user.isEmpty() && groups.isEmpty()) {
            throw invalid(call, "spec.user", "\"\"", "at least one of user or group must be specified");
        }
        Map<String, List<String>> extra = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : spec.path("extra").properties()) {
            extra.put(entry.getKey(), strings(entry.getValue()));
        }
        return new UserInfo(user, text(spec, "uid"), groups, extra);
    }

    private ObjectNode rules(CreateCall call) {
        String namespace = text(call.body().path("spec"), "namespace");
        if (namespace.isEmpty()) {
            throw ApiException.badRequest("no namespace on request");
        }
        ObjectNode status = Json.object();
        ArrayNode resourceRules = status.putArray("resourceRules");
        ArrayNode nonResourceRules = status.putArray("nonResourceRules");
        for (PolicyRule rule : authorizer.rulesFor(call.user(), namespace)) {
            (rule.nonResourceUrls().isEmpty() ? resourceRules : nonResourceRules).add(rule.toJson());
        }
        status.put("incomplete", false);
        return answer(call, status);
    }

    private static ObjectNode answer(CreateCall call, ObjectNode status) {
        ObjectNode answer = call.body().deepCopy();
        answer.put("kind", call.resource().type().kind());
        answer.put("apiVersion", call.resource().type().apiVersion());
        Json.child(answer, "metadata");
        answer.set("status", status);
        return answer;
    }

    private static ApiException invalid(CreateCall call, String field, String value, String why) {
        return ApiException.invalid(
                call.resource().type().groupVersionKind(),
                "",
                List.of(new ApiException.Cause("FieldValueInvalid", "Invalid value: " + value + ": " + why, field)));
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }

    private static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode element : array) {
            texts.add(element.asString(""));
        }
        return texts;
    }
}
