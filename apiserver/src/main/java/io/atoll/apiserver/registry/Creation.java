package io.atoll.apiserver.registry;

import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.Names;
import io.atoll.store.Store;
import tools.jackson.databind.node.ObjectNode;

/** Creates an object: defaults, admission, preparation, validation, then one commit. */
public final class Creation {
    /** Another generated name is tried this often when one is taken. */
    private static final int GENERATED_NAMES_MAX = 8;

    private Creation() {}

    /**
     * Creates what a client sent, decoded and in the served version.
     *
     * @return the object as stored; for a dry run as it would be
     */
    public static CachedObject create(Write write, ObjectNode served) {
        String prefix = Metadata.generateName(served);
        boolean generated = Metadata.name(served).isEmpty() && !prefix.isEmpty();
        for (int attempt = 1; ; attempt++) {
            ObjectNode copy = served.deepCopy();
            if (generated) {
                Metadata.setName(copy, Names.generate(prefix, write.registry().random()));
            }
            try {
                return createNamed(write, copy);
            } catch (ApiException e) {
                if (!generated
                        || attempt == GENERATED_NAMES_MAX
                        || e.reason() != io.atoll.model.StatusReason.AlreadyExists) {
                    throw e;
                }
            }
        }
    }

    private static CachedObject createNamed(Write write, ObjectNode served) {
        Endpoint endpoint = write.endpoint();
        Strategy strategy = endpoint.strategy();
        ObjectNode object = endpoint.conversion().toStorage(served);
        SystemMetadata.begin(write, object);
        strategy.applyDefaults(object);

        AdmissionRequest admission = new AdmissionRequest(
                write.user(),
                Operation.CREATE,
                endpoint.served(),
                write.subresource(),
                write.namespace(),
                Metadata.name(object),
                object,
                null,
                write.dryRun());
        write.registry().admission().forEach(plugin -> plugin.admit(admission));

        Traits traits = strategy.traits();
        if (endpoint.hasStatus() && !traits.has(Trait.KEEPS_STATUS)) {
            object.remove("status");
        }
        if (traits.has(Trait.GENERATION)) {
            Metadata.setGeneration(object, 1);
        } else {
            Metadata.of(object).remove("generation");
        }
        strategy.prepareCreate(write, object);
        FieldOwners.track(write, null, object);

        Mistakes mistakes = new Mistakes();
        MetadataRules.validate(endpoint, object, mistakes);
        Validations.validate(endpoint, object, mistakes);
        String name = Metadata.name(object);
        mistakes.throwIfAny(endpoint.type().groupVersionKind(), name);
        write.registry().admission().forEach(plugin -> plugin.validate(admission));

        if (write.dryRun()) {
            if (write.registry()
                    .find(endpoint.storedAs(), write.namespace(), name)
                    .isPresent()) {
                throw ApiException.alreadyExists(endpoint.resource(), name);
            }
            return CachedObject.unstored(write.namespace(), name, StoredForm.encode(object));
        }
        return switch (write.registry().commitCreate(endpoint, write.namespace(), name, object)) {
            case Store.CommitResult.Committed done -> {
                strategy.committed(write);
                yield Registry.cached(write.namespace(), name, done.entry());
            }
            case Store.CommitResult.Conflict _, Store.CommitResult.Aborted _ ->
                throw ApiException.alreadyExists(endpoint.resource(), name);
        };
    }
}
