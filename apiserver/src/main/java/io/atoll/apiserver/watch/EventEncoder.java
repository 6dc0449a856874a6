package io.atoll.apiserver.watch;

/** Writes watch events in one media type and version. Equal encoders write equal bytes. */
public interface EventEncoder {
    /**
     * A whole event as it goes on the wire.
     *
     * @param type {@code ADDED, MODIFIED, DELETED}
     */
    byte[] event(String type, CachedObject object);

    /** A bookmark; the last of the initial events says so. */
    byte[] bookmark(long revision, boolean initialEventsEnd);

    /** False for one that depends on what it wrote before. */
    default boolean shareable() {
        return true;
    }
}
