package io.atoll.inprocess;

import io.atoll.apiserver.ObjectReader;
import io.atoll.client.EncodedObject;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An {@link ObjectCache} that is the API server's own watch cache, without a copy. Any thread.
 *
 * <p>The server hands one event to many listeners, each time with the same bytes; the few latest objects are kept so
 * that all of those listeners share one reading of its metadata.
 */
public final class WatchCacheView implements ObjectCache {
    private static final int RECENT_OBJECTS = 16;

    private final ObjectReader reader;
    private final java.util.Set<ObjectReader.Registration> registrations = ConcurrentHashMap.newKeySet();
    private final @Nullable StoredObject[] recent = new StoredObject[RECENT_OBJECTS];
    private int next;

    public WatchCacheView(ObjectReader reader) {
        this.reader = reader;
    }

    @Override
    public Optional<StoredObject> get(ResourceType type, String namespace, String name) {
        return reader.get(type.groupResource(), namespace, name).map(EncodedObject::new);
    }

    @Override
    public List<StoredObject> list(ResourceType type, String namespace) {
        List<byte[]> encoded = reader.list(type.groupResource(), namespace);
        List<StoredObject> objects = new ArrayList<>(encoded.size());
        for (byte[] object : encoded) {
            objects.add(new EncodedObject(object));
        }
        return objects;
    }

    @Override
    public Subscription subscribe(ResourceType type, Listener listener) {
        ObjectReader.Registration registration = reader.subscribe(type.groupResource(), new ObjectReader.Listener() {
            @Override
            public void onAdded(byte[] object) {
                listener.onChange(null, wrap(object));
            }

            @Override
            public void onUpdated(byte[] before, byte[] object) {
                listener.onChange(wrap(before), wrap(object));
            }

            @Override
            public void onDeleted(byte[] last) {
                listener.onChange(wrap(last), null);
            }
        });
        registrations.add(registration);
        return () -> {
            registrations.remove(registration);
            registration.close();
        };
    }

    @Override
    public void close() {
        for (ObjectReader.Registration registration : registrations) {
            registration.close();
        }
        registrations.clear();
    }

    @SuppressWarnings("ReferenceEquality") // the server shares one array per version of an object
    private synchronized StoredObject wrap(byte[] object) {
        for (StoredObject known : recent) {
            if (known != null && known.json() == object) {
                return known;
            }
        }
        StoredObject wrapped = new EncodedObject(object);
        recent[next] = wrapped;
        next = (next + 1) % RECENT_OBJECTS;
        return wrapped;
    }
}
