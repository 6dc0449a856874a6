package io.atoll.apiserver.authn;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.authn.TokenSpec.ObjectIdentity;
import io.atoll.model.GroupResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Whether what a token is bound to still lives: there, with the same UID, and not long in deletion. Any thread. */
final class BoundObjects {
    private static final GroupResource SERVICE_ACCOUNTS = new GroupResource("", "serviceaccounts");
    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final GroupResource NODES = new GroupResource("", "nodes");
    private static final GroupResource SECRETS = new GroupResource("", "secrets");

    /** An object in deletion may use its token for so long, as in Kubernetes: controllers clean up after it. */
    private static final Duration DELETION_LEEWAY = Duration.ofSeconds(60);

    private static final JsonFactory JSON = new JsonFactory();

    private final ObjectReader objects;
    private final InstantSource clock;

    private record Life(@Nullable String uid, @Nullable String deletionTimestamp) {}

    BoundObjects(ObjectReader objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    boolean alive(TokenClaims claims) {
        return alive(SERVICE_ACCOUNTS, claims.namespace(), Optional.of(claims.serviceAccount()))
                && alive(PODS, claims.namespace(), claims.pod())
                && alive(SECRETS, claims.namespace(), claims.secret())
                // with a pod, the node only says where it ran
                && (claims.pod().isPresent() || alive(NODES, "", claims.node()));
    }

    private boolean alive(GroupResource resource, String namespace, Optional<ObjectIdentity> bound) {
        if (bound.isEmpty()) {
            return true;
        }
        Optional<byte[]> found = objects.get(resource, namespace, bound.get().name());
        if (found.isEmpty()) {
            return false;
        }
        Life life = read(found.get());
        return bound.get().uid().equals(life.uid()) && !longInDeletion(life.deletionTimestamp());
    }

    private boolean longInDeletion(@Nullable String deletionTimestamp) {
        if (deletionTimestamp == null) {
            return false;
        }
        try {
            return clock.instant().isAfter(Instant.parse(deletionTimestamp).plus(DELETION_LEEWAY));
        } catch (DateTimeParseException e) {
            return true;
        }
    }

    /** Reads no further than the metadata, which comes first. */
    private static Life read(byte[] object) {
        String uid = null;
        String deletionTimestamp = null;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), object)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean metadata = parser.currentName().equals("metadata");
                parser.nextToken();
                if (!metadata) {
                    parser.skipChildren();
                    continue;
                }
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    if (name.equals("uid")) {
                        uid = parser.getString();
                    } else if (name.equals("deletionTimestamp")) {
                        deletionTimestamp = parser.getString();
                    } else {
                        parser.skipChildren();
                    }
                }
                break;
            }
        } catch (JacksonException e) {
            return new Life(null, null);
        }
        return new Life(uid, deletionTimestamp);
    }
}
