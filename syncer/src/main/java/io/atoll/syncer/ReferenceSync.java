package io.atoll.syncer;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import io.atoll.syncer.translate.PodReferences;
import java.util.Collection;

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

    /** Brings what is missing to the host before the pod that needs it. What does not exist yet comes later. */
    void syncNow(String namespace, PodReferences found) {
        for (String name : found.configMaps()) {
            ObjectKey key = new ObjectKey(namespace, name);
            boolean root = name.equals(PodReferences.ROOT_CERTIFICATE);
            String host =
                    root ? context.names().rootCertificate() : context.names().of(namespace, name);
            if (context.hostCache()
                    .get(BuiltInTypes.CONFIG_MAPS, context.names().namespace(), host)
                    .isEmpty()) {
                sync(configMaps, key);
            }
        }
        for (String name : found.secrets()) {
            String host = context.names().of(namespace, name);
            if (context.hostCache()
                    .get(BuiltInTypes.SECRETS, context.names().namespace(), host)
                    .isEmpty()) {
                sync(secrets, new ObjectKey(namespace, name));
            }
        }
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
