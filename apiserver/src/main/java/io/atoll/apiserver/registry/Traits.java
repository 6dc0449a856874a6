package io.atoll.apiserver.registry;

import java.util.EnumSet;
import java.util.Set;

/** Yes-or-no differences between kinds, and what their names look like. Immutable. */
public record Traits(Set<Trait> set, NameRule names) {
    /** One difference from a plain kind. */
    public enum Trait {
        /** Counts changes of anything but metadata and status. */
        GENERATION,
        /** A PUT on an unknown name creates. */
        CREATE_ON_UPDATE,
        /** A PUT must say which resourceVersion it replaces. */
        CONDITIONAL_UPDATE,
        /** A POST or PUT may write status too. */
        KEEPS_STATUS,
        /** Labels and annotations may be written through {@code /status}. */
        STATUS_CHANGES_METADATA,
        /** A completed delete answers with the object rather than a Status. */
        RETURNS_DELETED,
        /** Dependents stay when a delete does not say. */
        ORPHANS_BY_DEFAULT
    }

    public static final Traits DEFAULT = of();

    public Traits {
        set = Set.copyOf(set);
    }

    public static Traits of(Trait... traits) {
        Set<Trait> set = EnumSet.noneOf(Trait.class);
        set.addAll(Set.of(traits));
        return new Traits(set, NameRule.SUBDOMAIN);
    }

    public Traits named(NameRule rule) {
        return new Traits(set, rule);
    }

    public boolean has(Trait trait) {
        return set.contains(trait);
    }
}
