package io.atoll.model.pod;

import java.util.List;

/**
 * The query of {@code pods/exec} and {@code pods/attach}.
 *
 * @param container empty when the pod has only one
 * @param command empty for attach
 */
public record ExecOptions(
        String container, List<String> command, boolean stdin, boolean stdout, boolean stderr, boolean tty) {
    public ExecOptions {
        command = List.copyOf(command);
    }
}
