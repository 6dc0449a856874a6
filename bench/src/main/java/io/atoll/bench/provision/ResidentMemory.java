package io.atoll.bench.provision;

import io.atoll.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Resident set sizes as Linux counts them. */
final class ResidentMemory {
    private ResidentMemory() {}

    static long bytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new CommandFailure("no VmRSS in /proc/" + pid + "/status");
    }
}
