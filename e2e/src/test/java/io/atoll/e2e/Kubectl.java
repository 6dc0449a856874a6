package io.atoll.e2e;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real kubectl with one kubeconfig. */
final class Kubectl {
    /** The versions that every test of a client's behaviour runs with. */
    static final List<String> VERSIONS = List.of("1.34", "1.35");

    private final Path binary;
    private final Path kubeconfig;
    private final Shell shell;

    Kubectl(String version, Path kubeconfig, Shell shell) {
        this.binary = Tools.kubectl(version);
        this.kubeconfig = kubeconfig;
        this.shell = shell.with("KUBECONFIG", kubeconfig.toString());
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    Shell.Result run(String... arguments) {
        return runWith("", arguments);
    }

    /** Runs and expects success; returns stdout without surrounding blanks. */
    String ok(String... arguments) {
        return run(arguments).ok().text();
    }

    Shell.Result runWith(String stdin, String... arguments) {
        return shell.run(stdin, command(arguments));
    }

    Shell.Result apply(String yaml, String... flags) {
        List<String> arguments = new ArrayList<>(List.of("apply", "-f", "-"));
        arguments.addAll(List.of(flags));
        return runWith(yaml, arguments.toArray(String[]::new));
    }

    /** Starts in the background and gives its lines one by one. */
    Following follow(String... arguments) {
        Process process = shell.start(command(arguments));
        return new Following(
                process, new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(binary.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** A kubectl that keeps running. */
    record Following(Process process, BufferedReader lines) implements AutoCloseable {
        /** Reads until a line has the text; null never comes back: the end of the output is a failure. */
        String until(String text) {
            try {
                StringBuilder seen = new StringBuilder();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.contains(text)) {
                        return line;
                    }
                    seen.append(line).append('\n');
                }
                throw new AssertionError("ended without '" + text + "' after:\n" + seen);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
