package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.SelectableFields;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.FieldSelector;
import io.atoll.model.LabelSelector;

/** Which objects of a resource a request is about. Immutable. Objects are parsed only if a selector needs it. */
record Selection(String namespace, String name, LabelSelector labels, FieldSelector fields, SelectableFields known) {

    static Selection of(Call call) {
        FieldSelector fields = FieldSelector.parse(call.parameter("fieldSelector"));
        SelectableFields known = call.endpoint().fields();
        for (FieldSelector.Requirement requirement : fields.requirements()) {
            if (!known.knows(requirement.field())) {
                throw ApiException.badRequest("field label not supported: " + requirement.field());
            }
        }
        return new Selection(
                call.path().namespace(),
                call.path().name(),
                LabelSelector.parse(call.parameter("labelSelector")),
                fields,
                known);
    }

    boolean everything() {
        return name.isEmpty() && labels.selectsEverything() && fields.selectsEverything();
    }

    /** Whether an object that may lie in any namespace is meant. */
    boolean matches(CachedObject object) {
        if (!namespace.isEmpty() && !inNamespace(object.path())) {
            return false;
        }
        if (!name.isEmpty() && !object.name().equals(name)) {
            return false;
        }
        return (labels.selectsEverything() || labels.matches(object.labels()))
                && (fields.selectsEverything() || fields.matches(field -> value(object, field)));
    }

    private boolean inNamespace(String path) {
        return path.length() > namespace.length()
                && path.charAt(namespace.length()) == '/'
                && path.startsWith(namespace);
    }

    private String value(CachedObject object, String field) {
        return switch (field) {
            case "metadata.name" -> object.name();
            case "metadata.namespace" -> object.namespace();
            default -> object.fields(known).getOrDefault(field, "");
        };
    }
}
