package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.Conversion;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.apiserver.watch.EventEncoder;
import io.atoll.model.ApiException;
import tools.jackson.databind.node.ObjectNode;

/** Objects in protobuf. Stateless. */
@SuppressWarnings("DoNotCallSuggester") // until the codec is there
final class Encodings {
    private Encodings() {}

    static boolean served() {
        return false;
    }

    static ObjectNode decodeProtobuf(byte[] body) {
        throw ApiException.badRequest("protobuf is not served: " + body.length);
    }

    static byte[] encodeProtobuf(ObjectNode tree) {
        throw new IllegalStateException("not negotiated: " + tree);
    }

    static EventEncoder events(ServedResource served, Conversion conversion) {
        throw new IllegalStateException("not negotiated: " + served + conversion);
    }
}
