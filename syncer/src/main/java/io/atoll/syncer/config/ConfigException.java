package io.atoll.syncer.config;

import java.util.List;

/** A tenant's configuration that cannot be used, with every mistake in it. Immutable. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> mistakes;

    public ConfigException(List<String> mistakes) {
        super(String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** One sentence each. */
    public List<String> mistakes() {
        return mistakes;
    }
}
