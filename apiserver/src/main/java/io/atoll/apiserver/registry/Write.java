package io.atoll.apiserver.registry;

import io.atoll.apiserver.UserInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * One write on its way through the registry: who, where, and what to tell the client. One thread.
 *
 * @param subresource empty for the object itself
 * @param fieldManager the owner of the fields it sets
 * @param ownersSet whether {@code managedFields} are right already: a server-side apply sets them itself
 * @param warnings added to as the write goes on; sent back in headers
 */
public record Write(
        Registry registry,
        UserInfo user,
        Endpoint endpoint,
        String subresource,
        String namespace,
        boolean dryRun,
        String fieldManager,
        boolean ownersSet,
        List<String> warnings) {

    public static Write of(Registry registry, UserInfo user, Endpoint endpoint, String namespace) {
        return new Write(registry, user, endpoint, "", namespace, false, "", false, new ArrayList<>());
    }

    public Write on(Endpoint other, String otherSubresource) {
        return new Write(registry, user, other, otherSubresource, namespace, dryRun, fieldManager, ownersSet, warnings);
    }

    public Write withOwnersSet() {
        return new Write(registry, user, endpoint, subresource, namespace, dryRun, fieldManager, true, warnings);
    }

    public Write in(String otherNamespace) {
        return new Write(
                registry, user, endpoint, subresource, otherNamespace, dryRun, fieldManager, ownersSet, warnings);
    }

    /** The same write, of the object itself. */
    public Write asDelete(boolean dry) {
        return new Write(registry, user, endpoint, "", namespace, dry, fieldManager, ownersSet, warnings);
    }

    public void warn(String message) {
        warnings.add(message);
    }
}
