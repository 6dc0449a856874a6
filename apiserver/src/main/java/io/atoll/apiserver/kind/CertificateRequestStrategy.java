package io.atoll.apiserver.kind;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** CertificateSigningRequests: who asked is the server's to say, and the question stays as it was put. */
final class CertificateRequestStrategy implements Strategy {
    @Override
    public void prepareCreate(Write write, ObjectNode object) {
        ObjectNode spec = Json.child(object, "spec");
        UserInfo user = write.user();
        spec.put("username", user.name());
        if (user.uid().isEmpty()) {
            spec.remove("uid");
        } else {
            spec.put("uid", user.uid());
        }
        ArrayNode groups = spec.putArray("groups");
        user.groups().forEach(groups::add);
        spec.remove("extra");
        if (!user.extra().isEmpty()) {
            ObjectNode extra = spec.putObject("extra");
            user.extra().forEach((key, values) -> values.forEach(extra.putArray(key)::add));
        }
        object.putObject("status");
    }

    @Override
    public void prepareUpdate(Write write, ObjectNode object, ObjectNode before) {
        object.set("spec", before.path("spec"));
    }

    @Override
    public ObjectNode throughSubresource(Write write, ObjectNode sent, ObjectNode before) {
        ObjectNode object = before.deepCopy();
        JsonNode conditions = sent.path("status").path("conditions");
        if (!conditions.isEmpty()) {
            Json.child(object, "status").set("conditions", conditions);
        }
        return object;
    }

    @Override
    public void prepareStatusUpdate(Write write, ObjectNode object, ObjectNode before) {
        JsonNode conditions = before.path("status").path("conditions");
        ObjectNode status = Json.child(object, "status");
        for (JsonNode condition : conditions) {
            String type = condition.path("type").asString("");
            if (type.equals("Approved") || type.equals("Denied")) {
                keep(status, condition, type);
            }
        }
    }

    private static void keep(ObjectNode status, JsonNode condition, String type) {
        for (JsonNode present : status.path("conditions")) {
            if (present.path("type").asString("").equals(type)) {
                return;
            }
        }
        status.withArray("conditions").add(condition);
    }

    @Override
    public void validate(ObjectNode object, Mistakes mistakes) {
        JsonNode spec = object.path("spec");
        if (spec.path("request").asString("").isEmpty()) {
            mistakes.required("spec.request", "");
        }
        if (spec.path("signerName").asString("").isEmpty()) {
            mistakes.required("spec.signerName", "");
        }
        if (spec.path("usages").isEmpty()) {
            mistakes.required("spec.usages", "");
        }
    }
}
