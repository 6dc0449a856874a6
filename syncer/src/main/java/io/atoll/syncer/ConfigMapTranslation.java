package io.atoll.syncer;

import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.PodReferences;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** ConfigMaps that pods refer to. The one with the tenant's CA is shared by all of its namespaces. */
final class ConfigMapTranslation implements Translation {
    private static final DataFields FIELDS = DataFields.of("immutable", "data", "binaryData");

    private final SyncContext context;
    private final References references;

    ConfigMapTranslation(SyncContext context, References references) {
        this.context = context;
        this.references = references;
    }

    @Override
    public ResourceType type() {
        return BuiltInTypes.CONFIG_MAPS;
    }

    @Override
    public String hostName(ObjectKey key) {
        return key.name().equals(PodReferences.ROOT_CERTIFICATE)
                ? context.names().rootCertificate()
                : context.names().of(key.namespace(), key.name());
    }

    @Override
    public Optional<ObjectNode> toHost(ObjectNode tenantObject) {
        ObjectKey key = new ObjectKey(Metadata.namespace(tenantObject), Metadata.name(tenantObject));
        boolean root = key.name().equals(PodReferences.ROOT_CERTIFICATE);
        boolean wanted = root
                || context.config().configMaps().all()
                || Metadata.annotation(tenantObject, Marks.FORCE_SYNC).equals("true")
                || references.isReferred(References.Kind.CONFIG_MAP, key);
        if (!wanted || !(root || context.config().configMaps().enabled())) {
            return Optional.empty();
        }
        ObjectNode host = context.objects().head(tenantObject, hostName(key));
        FIELDS.copy(tenantObject, host);
        return Optional.of(host);
    }

    @Override
    public boolean update(ObjectNode hostObject, ObjectNode wanted) {
        return FIELDS.update(hostObject, wanted);
    }
}
