package io.atoll.node.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The programs of the machine that containers are started with, found once. Immutable.
 *
 * @param shell bash where there is one: it passes on variables whose names are no shell names
 * @param unshare how to enter a mount namespace of one's own; empty where the machine does not allow it
 * @param terminal script(1), which gives a container a terminal; empty where there is none
 */
record Toolbox(List<String> shell, String setsid, List<String> unshare, String terminal, Path shim) {
    private static final String SHIM = """
            # Runs one attempt of a container. It outlives the agent: it holds the pipes open, and records pid and exit code.
            # Arguments: the attempt's folder, the pipe for events, the attempt's id, the command.
            _atoll_dir=$1 _atoll_events=$2 _atoll_id=$3
            shift 3
            _atoll_stamp() {
                _atoll_pid=$1
                read -r _atoll_stat < "/proc/$1/stat" || return 0
                set -- ${_atoll_stat##*) }
                echo "$_atoll_pid ${20}"
            }
            _atoll_umask=$(umask)
            umask 077
            _atoll_stamp $$ > "$_atoll_dir/shim.tmp"
            # A link is made once: an agent that has given up waiting makes it first, and then nothing is started.
            LN "$_atoll_dir/shim.tmp" "$_atoll_dir/shim" 2> /dev/null || exit 0
            exec 3<> "$_atoll_dir/stdout" 4<> "$_atoll_dir/stderr" 5<> "$_atoll_dir/ack"
            # Opened here and not by the command: an agent that ends the input early must find it open.
            if [ -p "$_atoll_dir/stdin" ]; then
                exec 6<> "$_atoll_dir/stdin" 7< "$_atoll_dir/stdin"
            else
                exec 7< /dev/null
            fi
            umask "$_atoll_umask"
            SETSID "$@" <&7 >&3 2>&4 3>&- 4>&- 5>&- 6>&- 7<&- &
            _atoll_child=$!
            umask 077
            exec 7<&-
            # A terminal never sees the end of its input; another container does when the agent closes it.
            [ -e "$_atoll_dir/tty" ] || exec 6>&-
            _atoll_stamp "$_atoll_child" > "$_atoll_dir/child.tmp"
            MV "$_atoll_dir/child.tmp" "$_atoll_dir/child"
            echo "S $_atoll_id" 1<> "$_atoll_events"
            wait "$_atoll_child"
            echo $? > "$_atoll_dir/exit.tmp"
            kill -KILL -- "-$_atoll_child" 2> /dev/null
            MV "$_atoll_dir/exit.tmp" "$_atoll_dir/exit"
            echo "X $_atoll_id" 1<> "$_atoll_events"
            # What is still in the pipes is lost with their last holder, so wait until an agent reads them.
            if [ -n "$BASH_VERSION" ]; then
                until read -r -t 60 _atoll_done <&5 || [ ! -d "$_atoll_dir" ]; do :; done
            else
                read -r _atoll_done <&5
            fi
            """;

    Toolbox {
        shell = List.copyOf(shell);
        unshare = List.copyOf(unshare);
    }

    /** Looks for the programs, and tries out whether mounts of one's own are allowed. */
    static Toolbox find(Path dir) throws IOException {
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
        List<String> shell = Executables.find("bash", path)
                .map(bash -> List.of(bash, "--norc", "-p"))
                .or(() -> Executables.find("sh", path).map(List::of))
                .orElseThrow(() -> missing("sh"));
        String setsid = required("setsid", path);
        Path shim = dir.resolve("shim.sh");
        String text = SHIM.replace("SETSID ", quote(setsid) + " ")
                .replace("LN ", quote(required("ln", path)) + " ")
                .replace("MV ", quote(required("mv", path)) + " ");
        // Replaced as a whole: shims of an earlier agent still read theirs.
        Path fresh = dir.resolve("shim.sh.tmp");
        Files.writeString(fresh, text);
        Files.move(fresh, shim, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        String terminal = Executables.find("script", path).orElse("");
        return new Toolbox(shell, setsid, findUnshare(path, dir), terminal, shim);
    }

    boolean namespaces() {
        return !unshare.isEmpty();
    }

    /** Whether the namespace comes with a user namespace, whose root is this user. */
    boolean userNamespace() {
        return unshare.contains("-r");
    }

    private static List<String> findUnshare(String path, Path dir) throws IOException {
        Optional<String> unshare = Executables.find("unshare", path);
        Optional<String> mount = Executables.find("mount", path);
        // The script that makes mount points writes paths into a table with blanks between them.
        if (!dir.toString().matches("[-/_.,:+@=%A-Za-z0-9]*")
                || unshare.isEmpty()
                || mount.isEmpty()
                || Executables.find("nsenter", path).isEmpty()
                || Executables.find("chroot", path).isEmpty()) {
            return List.of();
        }
        for (List<String> attempt :
                List.of(List.of(unshare.get(), "-m", "--"), List.of(unshare.get(), "-m", "-r", "--"))) {
            List<String> command = new ArrayList<>(attempt);
            command.addAll(List.of(mount.get(), "--rbind", dir.toString(), dir.toString()));
            if (succeeds(command)) {
                return attempt;
            }
        }
        return List.of();
    }

    private static boolean succeeds(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (process.waitFor(10, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        return false;
    }

    /** The text as one word of a shell. */
    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** The command on a terminal of its own. */
    List<String> onTerminal(List<String> command) {
        StringBuilder line = new StringBuilder("exec");
        command.forEach(word -> line.append(' ').append(quote(word)));
        return List.of(terminal, "-q", "-e", "-f", "-c", line.toString(), "/dev/null");
    }

    private static String required(String name, String path) {
        return Executables.find(name, path).orElseThrow(() -> missing(name));
    }

    private static IllegalStateException missing(String name) {
        return new IllegalStateException("cannot run pods as processes: no '" + name
                + "' on the PATH; install it (util-linux, coreutils), or add :sim to the node spec");
    }

    /** The shell's command line for a script and its arguments. */
    List<String> script(Path script, List<String> arguments) {
        List<String> command = new ArrayList<>(shell);
        command.add(script.toString());
        command.addAll(arguments);
        return command;
    }

    /** As environment files are kept: {@code NAME=value} with a zero byte after each. */
    static byte[] encodeEnvironment(Map<String, String> environment) {
        StringBuilder text = new StringBuilder();
        environment.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\0'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
