package io.atoll.model.pod;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The query of {@code pods/log}.
 *
 * @param container empty when the pod has only one
 * @param tailLines negative for all lines
 * @param limitBytes negative for no limit
 * @param since null for the whole log
 */
public record LogOptions(
        String container,
        boolean follow,
        boolean previous,
        boolean timestamps,
        long tailLines,
        long limitBytes,
        @Nullable Instant since) {}
