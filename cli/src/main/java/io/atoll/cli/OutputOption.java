package io.atoll.cli;

import picocli.CommandLine.Option;

/** {@code -o table|json}. */
final class OutputOption {
    private enum Format {
        TABLE,
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table or json (default: table).")
    private Format format = Format.TABLE;

    boolean json() {
        return format == Format.JSON;
    }
}
