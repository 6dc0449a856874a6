package io.atoll.apiserver.verb;

import io.atoll.apiserver.registry.Conversion;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.apiserver.registry.Views;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.EventEncoder;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Watch events in the forms that clients ask for. */
final class EventEncoders {
    private EventEncoders() {}

    static EventEncoder of(Call call) {
        ServedResource served = call.endpoint().served();
        Conversion conversion = call.endpoint().conversion();
        String apiVersion = served.type().apiVersion();
        String kind = served.type().kind();
        return switch (call.output().view()) {
            case TABLE ->
                new TableEvents(
                        served,
                        conversion,
                        Responses.views(call),
                        Responses.tableOptions(call, true).includeObject());
            case PARTIAL -> new PartialEvents(conversion, Responses.views(call));
            case OBJECT ->
                call.output().format() == Output.Format.PROTOBUF
                        ? Encodings.events(conversion, apiVersion, kind)
                        : new JsonEvents(conversion, apiVersion, kind);
        };
    }

    static String contentType(Output output) {
        return output.format() == Output.Format.PROTOBUF
                ? "application/vnd.kubernetes.protobuf;stream=watch"
                : "application/json";
    }

    /** {@code {"type":T,"object":O}} and a newline around bytes that are there already. */
    static byte[] frame(String type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
        byte[] event = new byte[head.length + object.length + 2];
        System.arraycopy(head, 0, event, 0, head.length);
        System.arraycopy(object, 0, event, head.length, object.length);
        event[event.length - 2] = '}';
        event[event.length - 1] = '\n';
        return event;
    }

    static ObjectNode bookmarkObject(String apiVersion, String kind, long revision, boolean initialEventsEnd) {
        ObjectNode object = Json.object();
        object.put("kind", kind).put("apiVersion", apiVersion);
        Metadata.setResourceVersion(object, Long.toString(revision));
        Metadata.of(object).putNull("creationTimestamp");
        if (initialEventsEnd) {
            Metadata.setAnnotation(object, "k8s.io/initial-events-end", "true");
        }
        return object;
    }

    private record JsonEvents(Conversion conversion, String apiVersion, String kind) implements EventEncoder {
        @Override
        public byte[] event(String type, CachedObject object) {
            return frame(type, conversion.encode(object));
        }

        @Override
        public byte[] bookmark(long revision, boolean initialEventsEnd) {
            return frame("BOOKMARK", Json.encode(bookmarkObject(apiVersion, kind, revision, initialEventsEnd)));
        }
    }

    private record PartialEvents(Conversion conversion, Views views) implements EventEncoder {
        @Override
        public byte[] event(String type, CachedObject object) {
            return frame(type, Json.encode(views.partial(conversion.encode(object))));
        }

        @Override
        public byte[] bookmark(long revision, boolean initialEventsEnd) {
            return frame(
                    "BOOKMARK",
                    Json.encode(bookmarkObject("meta.k8s.io/v1", "PartialObjectMetadata", revision, initialEventsEnd)));
        }
    }

    /** The first Table carries the column headers, the others only rows. */
    private static final class TableEvents implements EventEncoder {
        private final ServedResource served;
        private final Conversion conversion;
        private final Views views;
        private final Views.IncludeObject include;
        private boolean headers = true;

        TableEvents(ServedResource served, Conversion conversion, Views views, Views.IncludeObject include) {
            this.served = served;
            this.conversion = conversion;
            this.views = views;
            this.include = include;
        }

        @Override
        public byte[] event(String type, CachedObject object) {
            ObjectNode table =
                    views.table(served, List.of(conversion.encode(object)), new Views.TableOptions(include, headers));
            headers = false;
            Metadata.setResourceVersion(table, Long.toString(object.revision()));
            return frame(type, Json.encode(table));
        }

        @Override
        public byte[] bookmark(long revision, boolean initialEventsEnd) {
            ObjectNode table = views.table(served, List.of(), new Views.TableOptions(include, headers));
            headers = false;
            Metadata.setResourceVersion(table, Long.toString(revision));
            if (initialEventsEnd) {
                ObjectNode row = Json.object();
                row.putArray("cells");
                row.set("object", bookmarkObject("meta.k8s.io/v1", "PartialObjectMetadata", revision, true));
                table.putArray("rows").add(row);
            }
            return frame("BOOKMARK", Json.encode(table));
        }

        @Override
        public boolean shareable() {
            return false;
        }
    }
}
