package io.atoll.cli;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Reads a tenant's configuration from values files and {@code --set} flags. */
public interface ValuesReader {
    /**
     * Merges and checks the values; later ones win.
     *
     * @param files contents of YAML files
     * @param sets {@code key=value} expressions
     * @param warnings receives what is accepted but does nothing
     * @throws IllegalArgumentException with every mistake at once, one a line
     */
    ObjectNode read(List<String> files, List<String> sets, java.util.function.Consumer<String> warnings);
}
