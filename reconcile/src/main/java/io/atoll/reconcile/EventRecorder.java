package io.atoll.reconcile;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.ResourceType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes core/v1 Events about objects, in order and without holding up the caller. Any thread.
 *
 * <p>The same event again raises {@code count} of the first. Events are a service to readers: what cannot be written,
 * or comes faster than {@code PENDING_EVENTS_MAX} allows, is dropped.
 */
public final class EventRecorder {
    private static final ResourceType EVENTS = ResourceType.of("", "v1", "events", "Event", true);
    private static final int PENDING_EVENTS_MAX = 1_000;
    private static final int REMEMBERED_EVENTS_MAX = 512;
    private static final int MESSAGE_CHARS_MAX = 1_024;
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    private final Client client;
    private final String component;
    private final String host;
    private final Timers timers;
    private final Queue<Occurrence> pending = new ArrayDeque<>();
    private final Map<Occurrence, Written> written = new Remembered();
    private boolean writing;

    /** @param component who reports, e.g. {@code deployment-controller} */
    public EventRecorder(Client client, String component, Timers timers) {
        this(client, component, "", timers);
    }

    /** @param host the node that reports; empty when it is none */
    public EventRecorder(Client client, String component, String host, Timers timers) {
        this.client = client;
        this.component = component;
        this.host = host;
        this.timers = timers;
    }

    /** Something that went as it should. */
    public void normal(ObjectNode about, String reason, String message) {
        record(about, "", "Normal", reason, message);
    }

    public void warning(ObjectNode about, String reason, String message) {
        record(about, "", "Warning", reason, message);
    }

    /**
     * Records an event about an object or a part of it.
     *
     * @param fieldPath empty, or the part, e.g. {@code spec.containers{main}}
     */
    public void record(ObjectNode about, String fieldPath, String type, String reason, String message) {
        JsonNode metadata = about.path("metadata");
        String cut = message.length() <= MESSAGE_CHARS_MAX ? message : message.substring(0, MESSAGE_CHARS_MAX);
        add(new Occurrence(
                about.path("apiVersion").asString(""),
                about.path("kind").asString(""),
                metadata.path("namespace").asString(""),
                metadata.path("name").asString(""),
                metadata.path("uid").asString(""),
                metadata.path("resourceVersion").asString(""),
                fieldPath,
                type,
                reason,
                cut));
    }

    private void add(Occurrence occurrence) {
        synchronized (pending) {
            if (pending.size() >= PENDING_EVENTS_MAX) {
                return;
            }
            pending.add(occurrence);
            if (writing) {
                return;
            }
            writing = true;
        }
        Thread.ofVirtual().name("events").start(this::write);
    }

    private void write() {
        while (true) {
            Occurrence occurrence;
            synchronized (pending) {
                occurrence = pending.poll();
                if (occurrence == null) {
                    writing = false;
                    return;
                }
            }
            try {
                write(occurrence);
            } catch (ApiException e) {
                LOG.debug("dropped event {} {}: {}", occurrence.reason, occurrence.name, e.getMessage());
            } catch (RuntimeException e) {
                LOG.debug("dropped event {} {}", occurrence.reason, occurrence.name, e);
            }
        }
    }

    private void write(Occurrence occurrence) {
        Instant now = timers.instant();
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        Written known = written.get(occurrence.identity());
        if (known != null && raise(occurrence, known, time)) {
            return;
        }
        String name = occurrence.name + "." + Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano());
        client.create(EVENTS, occurrence.eventNamespace(), event(occurrence, name, time));
        written.put(occurrence.identity(), new Written(name, 1));
    }

    private boolean raise(Occurrence occurrence, Written known, String time) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.put("count", known.count + 1).put("lastTimestamp", time);
        try {
            client.patch(EVENTS, occurrence.eventNamespace(), known.name, "", Client.PatchType.STRATEGIC, patch);
        } catch (ApiException e) {
            if (e.code() == 404) {
                return false;
            }
            throw e;
        }
        written.put(occurrence.identity(), new Written(known.name, known.count + 1));
        return true;
    }

    private ObjectNode event(Occurrence occurrence, String name, String time) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("kind", "Event").put("apiVersion", "v1");
        event.putObject("metadata").put("name", name).put("namespace", occurrence.eventNamespace());
        ObjectNode involved = event.putObject("involvedObject");
        putIfAny(involved, "kind", occurrence.kind);
        putIfAny(involved, "namespace", occurrence.namespace);
        putIfAny(involved, "name", occurrence.name);
        putIfAny(involved, "uid", occurrence.uid);
        putIfAny(involved, "apiVersion", occurrence.apiVersion);
        putIfAny(involved, "resourceVersion", occurrence.resourceVersion);
        putIfAny(involved, "fieldPath", occurrence.fieldPath);
        event.put("reason", occurrence.reason).put("message", occurrence.message);
        ObjectNode source = event.putObject("source").put("component", component);
        putIfAny(source, "host", host);
        event.put("firstTimestamp", time).put("lastTimestamp", time);
        event.put("count", 1).put("type", occurrence.type);
        event.putNull("eventTime");
        event.put("reportingComponent", component).put("reportingInstance", host);
        return event;
    }

    private static void putIfAny(ObjectNode node, String field, String value) {
        if (!value.isEmpty()) {
            node.put(field, value);
        }
    }

    private record Occurrence(
            String apiVersion,
            String kind,
            String namespace,
            String name,
            String uid,
            String resourceVersion,
            String fieldPath,
            String type,
            String reason,
            String message) {
        String eventNamespace() {
            return namespace.isEmpty() ? "default" : namespace;
        }

        /** What makes two events the same: all but the version of the object. */
        Occurrence identity() {
            return new Occurrence(apiVersion, kind, namespace, name, uid, "", fieldPath, type, reason, message);
        }
    }

    private record Written(String name, int count) {}

    /** The latest events; touched by the writing thread only. */
    private static final class Remembered extends LinkedHashMap<Occurrence, Written> {
        private static final long serialVersionUID = 1L;

        Remembered() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.@Nullable Entry<Occurrence, Written> eldest) {
            return size() > REMEMBERED_EVENTS_MAX;
        }
    }
}
