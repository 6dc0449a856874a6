package io.atoll.syncer;

import io.atoll.model.ApiException;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import io.atoll.syncer.translate.PodReferences;
import java.util.Collection;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The objects that pods refer to, on their way to the host. Any thread. */
final class ReferenceSync implements AutoCloseable {
    private final SyncContext context;
    private final ObjectSync configMaps;
    private final ObjectSync secrets;
    private final ObjectSync claims;
    private final ObjectSync services;

    ReferenceSync(SyncContext context, References references) {
        this.context = context;
        this.configMaps = new ObjectSync(context, new ConfigMapTranslation(context, references));
        this.secrets = new ObjectSync(context, new SecretTranslation(context, references));
        this.claims = new ObjectSync(context, new ClaimTranslation(context));
        this.services = new ObjectSync(context, new ServiceTranslation(context));
    }

    /** Pods have begun or ceased to refer to these. */
    void enqueue(Collection<References.Target> targets) {
        for (References.Target target : targets) {
            switch (target.kind()) {
                case CONFIG_MAP -> configMaps.enqueue(target.key());
                case SECRET -> secrets.enqueue(target.key());
            }
        }
    }

    /**
     * Brings what is missing to the host before the pod that needs it. What does not exist yet comes later.
     *
     * @throws ApiException when a name on the host is taken by another object: the pod would get that one
     */
    void syncNow(String namespace, PodReferences found) {
        for (String name : found.configMaps()) {
            boolean root = name.equals(PodReferences.ROOT_CERTIFICATE);
            ObjectKey key = new ObjectKey(namespace, name);
            if (root
                    ? context.onHost(BuiltInTypes.CONFIG_MAPS, context.names().rootCertificate())
                            .isEmpty()
                    : isMissing(BuiltInTypes.CONFIG_MAPS, key)) {
                sync(configMaps, key);
            }
        }
        for (String name : found.secrets()) {
            ObjectKey key = new ObjectKey(namespace, name);
            if (isMissing(BuiltInTypes.SECRETS, key)) {
                sync(secrets, key);
            }
        }
        for (String name : found.claims()) {
            isMissing(BuiltInTypes.PERSISTENT_VOLUME_CLAIMS, new ObjectKey(namespace, name));
        }
    }

    private boolean isMissing(ResourceType type, ObjectKey key) {
        String hostName = context.names().of(key.namespace(), key.name());
        Optional<ObjectNode> present = context.onHost(type, hostName);
        if (present.isPresent() && !context.objects().isFor(present.get(), key.namespace(), key.name())) {
            throw ApiException.forbidden(
                    type.groupResource(), hostName, "the name is taken on the host by another object");
        }
        return present.isEmpty();
    }

    private static void sync(ObjectSync sync, ObjectKey key) {
        try {
            sync.sync(key);
        } catch (ApiException e) {
            if (e.reason() != StatusReason.Conflict) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        configMaps.close();
        secrets.close();
        claims.close();
        services.close();
    }
}
