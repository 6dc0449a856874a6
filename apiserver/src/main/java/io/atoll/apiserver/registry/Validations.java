package io.atoll.apiserver.registry;

import io.atoll.model.schema.SchemaValidator;
import tools.jackson.databind.node.ObjectNode;

/** Runs what validates an object: its schema when it is a custom resource, and its kind's strategy. */
final class Validations {
    private Validations() {}

    static void validate(Endpoint endpoint, ObjectNode object, Mistakes mistakes) {
        if (endpoint.served().custom()) {
            mistakes.addAll(SchemaValidator.validate(endpoint.served().schema(), object));
        }
        endpoint.strategy().validate(object, mistakes);
    }

    static void validateUpdate(Write write, ObjectNode object, ObjectNode before, Mistakes mistakes) {
        MetadataRules.validateUpdate(object, before, mistakes);
        write.endpoint().strategy().validateUpdate(write, object, before, mistakes);
    }
}
