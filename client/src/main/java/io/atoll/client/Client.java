package io.atoll.client;

import io.atoll.model.ResourceType;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes of one cluster. Any thread; every call blocks until the server has answered.
 *
 * <p>Namespaces are empty for cluster-scoped types. A failure is an {@link io.atoll.model.ApiException} with the
 * server's Status.
 */
public interface Client {
    ObjectNode get(ResourceType type, String namespace, String name);

    /** As {@link #get}, empty when not found. */
    Optional<ObjectNode> find(ResourceType type, String namespace, String name);

    /** A whole list object with {@code items}; an empty namespace lists all of them. */
    ObjectNode list(ResourceType type, String namespace, ListOptions options);

    ObjectNode create(ResourceType type, String namespace, ObjectNode object);

    ObjectNode update(ResourceType type, ObjectNode object);

    ObjectNode updateStatus(ResourceType type, ObjectNode object);

    /**
     * Patches an object or a subresource of it.
     *
     * @param subresource empty for the object itself
     */
    ObjectNode patch(
            ResourceType type, String namespace, String name, String subresource, PatchType patchType, JsonNode patch);

    /** Server-side apply under a field manager, taking conflicting fields over. */
    ObjectNode apply(ResourceType type, String namespace, String name, String fieldManager, ObjectNode object);

    /** Posts to a subresource: {@code binding}, {@code eviction}, {@code token}. */
    ObjectNode createSubresource(ResourceType type, String namespace, String name, String subresource, ObjectNode body);

    void delete(ResourceType type, String namespace, String name, DeleteOptions options);

    /** Deletes what the selection matches in a namespace, or in a cluster-scoped collection. */
    void deleteAll(ResourceType type, String namespace, ListOptions selection, DeleteOptions options);

    /** Any other request, e.g. {@code /version}; the answer's body when it is 2xx. */
    byte[] raw(String method, String path, byte[] body);

    /** Events from a resourceVersion on; see {@link Transport#watch}. */
    Transport.Stream watch(ResourceType type, String namespace, ListOptions options, Transport.WatchSink sink);

    /** Media types of patches. */
    enum PatchType {
        JSON("application/json-patch+json"),
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json"),
        APPLY("application/apply-patch+yaml");

        private final String contentType;

        PatchType(String contentType) {
            this.contentType = contentType;
        }

        public String contentType() {
            return contentType;
        }
    }

    /** Selection of a list or watch. Empty strings select everything. */
    record ListOptions(String labelSelector, String fieldSelector, String resourceVersion, int limit, String token) {
        public static final ListOptions ALL = new ListOptions("", "", "", 0, "");

        public static ListOptions labels(String selector) {
            return new ListOptions(selector, "", "", 0, "");
        }

        public static ListOptions fields(String selector) {
            return new ListOptions("", selector, "", 0, "");
        }
    }

    /**
     * Options of a delete.
     *
     * @param gracePeriodSeconds negative for the object's own
     * @param propagationPolicy empty for the kind's default, else Foreground, Background or Orphan
     * @param uid empty, or the only UID to delete
     */
    record DeleteOptions(long gracePeriodSeconds, String propagationPolicy, String uid) {
        public static final DeleteOptions DEFAULT = new DeleteOptions(-1, "", "");

        public static DeleteOptions background() {
            return new DeleteOptions(-1, "Background", "");
        }
    }
}
