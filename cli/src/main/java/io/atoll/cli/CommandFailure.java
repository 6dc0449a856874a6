package io.atoll.cli;

/** A command that cannot go on: one line for stderr that says what to do, and an exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Failed. */
    public static final int FAILED = 1;

    /** Wrong usage. */
    public static final int USAGE = 2;

    private final int exitCode;

    public CommandFailure(String message) {
        this(message, FAILED);
    }

    public CommandFailure(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    public static CommandFailure usage(String message) {
        return new CommandFailure(message, USAGE);
    }

    public int exitCode() {
        return exitCode;
    }
}
