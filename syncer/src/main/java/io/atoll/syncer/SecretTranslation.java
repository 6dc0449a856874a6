package io.atoll.syncer;

import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import io.atoll.syncer.translate.Marks;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Secrets that pods refer to. A service account's token is an ordinary Secret for the host. */
final class SecretTranslation implements Translation {
    private static final String TOKEN_TYPE = "kubernetes.io/service-account-token";
    private static final String OPAQUE = "Opaque";
    private static final DataFields FIELDS = DataFields.of("immutable", "data");

    private final SyncContext context;
    private final References references;

    SecretTranslation(SyncContext context, References references) {
        this.context = context;
        this.references = references;
    }

    @Override
    public ResourceType type() {
        return BuiltInTypes.SECRETS;
    }

    @Override
    public String hostName(ObjectKey key) {
        return context.names().of(key.namespace(), key.name());
    }

    @Override
    public Optional<ObjectNode> toHost(ObjectNode tenantObject) {
        ObjectKey key = new ObjectKey(Metadata.namespace(tenantObject), Metadata.name(tenantObject));
        boolean wanted = context.config().secrets().all()
                || Metadata.annotation(tenantObject, Marks.FORCE_SYNC).equals("true")
                || references.isReferred(References.Kind.SECRET, key);
        if (!wanted || !context.config().secrets().enabled()) {
            return Optional.empty();
        }
        ObjectNode host = context.objects().head(tenantObject, hostName(key));
        FIELDS.copy(tenantObject, host);
        String type = tenantObject.path("type").asString(OPAQUE);
        host.put("type", type.equals(TOKEN_TYPE) ? OPAQUE : type);
        return Optional.of(host);
    }

    @Override
    public boolean update(ObjectNode hostObject, ObjectNode wanted) {
        boolean sameType = hostObject
                .path("type")
                .asString(OPAQUE)
                .equals(wanted.path("type").asString(OPAQUE));
        return FIELDS.update(hostObject, wanted) && sameType;
    }
}
