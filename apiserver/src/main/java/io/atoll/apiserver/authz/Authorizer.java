package io.atoll.apiserver.authz;

/** Decides what the users of one cluster may do. Any thread; called for each request, so it must be quick. */
public interface Authorizer {
    Decision authorize(Attributes attributes);

    /**
     * An answer.
     *
     * @param reason for humans; may be empty
     */
    record Decision(boolean allowed, String reason) {
        public static Decision allow(String reason) {
            return new Decision(true, reason);
        }

        public static Decision deny(String reason) {
            return new Decision(false, reason);
        }
    }

    /** Lets everything pass: for tests of other parts. */
    Authorizer ALLOW_ALL = _ -> Decision.allow("");
}
