package io.atoll.node.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process that cannot be mistaken for a later one with the same id: its start time, in clock ticks since boot, goes
 * with it. Immutable.
 */
record ProcessStamp(long pid, long startTicks) {
    /** Reads what a shim wrote: {@code PID TICKS}; empty when there is nothing usable. */
    static Optional<ProcessStamp> read(Path file) {
        try {
            String[] words = Files.readString(file).strip().split(" ");
            return words.length == 2
                    ? Optional.of(new ProcessStamp(Long.parseLong(words[0]), Long.parseLong(words[1])))
                    : Optional.empty();
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    boolean alive() {
        try {
            String stat =
                    new String(Files.readAllBytes(Path.of("/proc/" + pid + "/stat")), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return !dead && Long.parseLong(fields[19]) == startTicks;
        } catch (IOException _) {
            return false;
        }
    }

    /** Signals the process's group, which it leads; or the process alone, when it has just been born into another. */
    void signalGroup(int signal) {
        if (alive() && !Libc.kill(-pid, signal)) {
            Libc.kill(pid, signal);
        }
    }
}
