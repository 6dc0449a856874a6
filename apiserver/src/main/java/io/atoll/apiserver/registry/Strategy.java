package io.atoll.apiserver.registry;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a kind does that a schema cannot say. Objects are in the stored version, defaulted and pruned. Stateless and
 * shared by all clusters; what belongs to one cluster is reached through the {@link Write}.
 */
public interface Strategy {
    /** Objects with nothing special about them. */
    Strategy PLAIN = new Strategy() {};

    default Traits traits() {
        return Traits.DEFAULT;
    }

    /** Fills defaults that depend on other fields. Called on every write, before admission. */
    default void applyDefaults(ObjectNode object) {}

    /** Completes a new object; status has been cleared unless the traits keep it. */
    default void prepareCreate(Write write, ObjectNode object) {}

    /** Carries over what a client may not change. Status has been carried over. */
    default void prepareUpdate(Write write, ObjectNode object, ObjectNode before) {}

    /** Likewise for a write through {@code /status}: everything but status has been carried over. */
    default void prepareStatusUpdate(Write write, ObjectNode object, ObjectNode before) {}

    /**
     * What a write through a subresource other than {@code status} leaves of the object that was sent.
     *
     * @param sent the whole object, with what the subresource changed
     */
    default ObjectNode throughSubresource(Write write, ObjectNode sent, ObjectNode before) {
        return sent;
    }

    default void validate(ObjectNode object, Mistakes mistakes) {}

    /** Called after {@link #validate}. */
    default void validateUpdate(Write write, ObjectNode object, ObjectNode before, Mistakes mistakes) {}

    /** How long the object lives on after a delete; zero when it goes at once. */
    default long gracePeriodSeconds(ObjectNode object, long requested) {
        return 0;
    }

    /** Marks what else changes when deletion begins but cannot be completed. */
    default void beginDelete(Write write, ObjectNode object) {}

    /** Called after each commit that changed an object, before the client gets its answer. */
    default void committed(Write write) {}

    /** Whether an object that is being deleted, without finalizers, must stay. */
    default boolean holdsDeletion(ObjectNode object) {
        return false;
    }
}
