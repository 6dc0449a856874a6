package io.atoll.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * What a person sees: results on stdout, progress and trouble on stderr. One thread.
 *
 * @param debug print stack traces
 */
public record Console(PrintStream out, PrintStream err, InstantSource clock, boolean debug) {
    /** Starts a step of longer work. */
    public void step(String text) {
        err.println("- " + text);
    }

    public void warn(String text) {
        err.println("warning: " + text);
    }

    /** Prints rows with columns aligned, the first row being the header. */
    public void table(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                if (i == widths.size()) {
                    widths.add(0);
                }
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i));
                if (i < row.size() - 1) {
                    line.repeat(' ', widths.get(i) - row.get(i).length() + 3);
                }
            }
            out.println(line);
        }
    }

    /** An age as kubectl prints it: {@code 45s}, {@code 3m}, {@code 5h}, {@code 2d}. */
    public static String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 7_200) {
            return seconds / 60 + "m";
        }
        if (seconds < 172_800) {
            return seconds / 3_600 + "h";
        }
        return seconds / 86_400 + "d";
    }
}
