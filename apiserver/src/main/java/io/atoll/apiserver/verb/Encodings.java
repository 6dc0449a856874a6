package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.Conversion;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.EventEncoder;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Protobuf;
import tools.jackson.databind.node.ObjectNode;

/** Objects and watch events in protobuf. Stateless. */
final class Encodings {
    private static final GroupVersionKind STATUS = new GroupVersionKind("", "v1", "Status");

    private Encodings() {}

    /** Whether a kind can be sent in protobuf. */
    static boolean supports(GroupVersionKind kind) {
        return Protobuf.supports(kind);
    }

    static boolean supportsStatus() {
        return Protobuf.supports(STATUS);
    }

    static EventEncoder events(Conversion conversion, String apiVersion, String kind) {
        return new ProtobufEvents(conversion, apiVersion, kind);
    }

    private record ProtobufEvents(Conversion conversion, String apiVersion, String kind) implements EventEncoder {
        @Override
        public byte[] event(String type, CachedObject object) {
            ObjectNode tree = Json.parse(conversion.encode(object));
            return Protobuf.watchFrame(type, Protobuf.encode(tree));
        }

        @Override
        public byte[] bookmark(long revision, boolean initialEventsEnd) {
            ObjectNode object = EventEncoders.bookmarkObject(apiVersion, kind, revision, initialEventsEnd);
            return Protobuf.watchFrame("BOOKMARK", Protobuf.encode(object));
        }
    }
}
