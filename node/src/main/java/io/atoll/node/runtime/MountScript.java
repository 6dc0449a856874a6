package io.atoll.node.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * Writes the script that, inside a fresh mount namespace, puts a container's mounts in place and becomes its command.
 *
 * <p>A mount point that the machine does not have is not made on the machine's disk: its nearest present folder is
 * covered with a scaffold in memory that holds everything the folder held, and the mount point. Where that folder is the
 * root, the scaffold becomes the new root.
 */
final class MountScript {
    private static final String FUNCTIONS = """
            fail() { echo "$*" > "$_atoll_attempt/mount-error"; exit 125; }
            # Fills $2 with what is in $1. One mount(8) for all entries: one for each would take most of a container's start.
            scaffold() {
                _atoll_links= _atoll_folders= _atoll_files= _atoll_table=
                for _atoll_entry in "$1"/* "$1"/.[!.]*; do
                    _atoll_name=${_atoll_entry##*/}
                    case $_atoll_entry in */dev/ptmx)
                        continue ;;
                    *[!-/_.,:+@=%A-Za-z0-9]*)
                        [ -e "$_atoll_entry" ] && bind "$_atoll_entry" "$2/$_atoll_name"
                        continue ;;
                    esac
                    if [ -L "$_atoll_entry" ]; then
                        _atoll_links="$_atoll_links $_atoll_entry"
                    elif [ -d "$_atoll_entry" ]; then
                        _atoll_folders="$_atoll_folders $2/$_atoll_name"
                        _atoll_table="$_atoll_table$_atoll_entry $2/$_atoll_name none rbind 0 0
            "
                    elif [ -e "$_atoll_entry" ]; then
                        _atoll_files="$_atoll_files $2/$_atoll_name"
                        _atoll_table="$_atoll_table$_atoll_entry $2/$_atoll_name none bind 0 0
            "
                    fi
                done
                [ -z "$_atoll_folders" ] || mkdir $_atoll_folders || fail "cannot cover $1"
                for _atoll_entry in $_atoll_files; do : > "$_atoll_entry"; done
                [ -z "$_atoll_links" ] || cp -P $_atoll_links "$2/" || fail "cannot copy the links of $1"
                # What vanishes while this goes on is no loss.
                echo "$_atoll_table" > "$2.fstab"
                [ -z "$_atoll_table" ] || mount -a -T "$2.fstab" || :
                # Bound alone, ptmx does not find its terminals: the kernel looks for them beside it.
                [ "${1##*/}" != dev ] || [ ! -e "$1/ptmx" ] || ln -s pts/ptmx "$2/ptmx"
            }
            bind() {
                if [ -d "$1" ]; then
                    [ -d "$2" ] || mkdir -p "$2" || fail "cannot make mount point $2"
                else
                    [ -e "$2" ] || { mkdir -p "${2%/*}" && : > "$2"; } || fail "cannot make mount point $2"
                fi
                mount --rbind "$1" "$2" || fail "cannot mount $2"
            }
            # A user namespace may not drop flags that the disk has; then the mount stays writable.
            readonly_bind() { bind "$1" "$2"; mount -o remount,bind,ro "$2" 2> /dev/null || :; }
            """;

    private final StringBuilder script = new StringBuilder();
    private final TreeSet<Path> ours = new TreeSet<>();
    private final Path attempt;
    private String root = "";
    private int scaffolds;

    private MountScript(Path attempt) {
        this.attempt = attempt;
    }

    /**
     * Writes the script into an attempt's folder.
     *
     * @param workingDir where the command starts, as the container sees it
     */
    static Path write(Path attempt, List<Mount> mounts, Path workingDir) throws IOException {
        MountScript plan = new MountScript(attempt);
        plan.plan(mounts, workingDir);
        Path file = attempt.resolve("enter.sh");
        Files.writeString(file, plan.script);
        return file;
    }

    private void plan(List<Mount> mounts, Path workingDir) throws IOException {
        Path work = attempt.resolve("scaffold");
        Files.createDirectories(work);
        line("_atoll_path=$PATH");
        line("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        line("_atoll_attempt=" + Toolbox.quote(attempt.toString()));
        script.append(FUNCTIONS);
        line("mount -t tmpfs -o mode=755 scaffold " + quote(work) + " || fail 'cannot mount a tmpfs'");
        for (Mount mount : mounts) {
            if (nearestPresent(mount.target()).getNameCount() == 0 && root.isEmpty()) {
                root = work.resolve("root").toString();
                line("mkdir -m 755 " + Toolbox.quote(root));
                line("scaffold '' " + Toolbox.quote(root));
            }
        }
        for (Mount mount : mounts) {
            add(mount, work);
        }
        line("PATH=$_atoll_path");
        String cwd = quote(workingDir);
        if (root.isEmpty()) {
            line("[ -d " + cwd + " ] || /bin/mkdir -p " + cwd);
            line("cd " + cwd + " || fail 'cannot enter the working folder'");
            line("exec \"$@\"");
        } else {
            String path = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin";
            String chroot = Executables.find("chroot", path).orElse("/usr/sbin/chroot");
            String shell = Executables.find("bash", path).orElse("/bin/sh");
            String inside = inRoot(workingDir);
            line("[ -d " + inside + " ] || /bin/mkdir -p " + inside);
            line("exec " + Toolbox.quote(chroot) + " " + Toolbox.quote(root) + " " + Toolbox.quote(shell)
                    + " -c 'cd \"$0\" && exec \"$@\"' " + cwd + " \"$@\"");
        }
    }

    private void add(Mount mount, Path work) throws IOException {
        Path target = canonical(mount.target());
        Path nearest = nearestPresent(target);
        boolean coveredByUs = ours.stream().anyMatch(target::startsWith);
        if (!Files.exists(target) && !coveredByUs && nearest.getNameCount() > 0) {
            String scaffold = work.resolve("s" + scaffolds++).toString();
            line("mkdir " + Toolbox.quote(scaffold) + " && chmod --reference=" + quote(nearest) + " "
                    + Toolbox.quote(scaffold));
            line("scaffold " + inRoot(nearest) + " " + Toolbox.quote(scaffold));
            line("mount --rbind " + Toolbox.quote(scaffold) + " " + inRoot(nearest) + " || fail cannot cover "
                    + quote(nearest));
            ours.add(nearest);
        }
        ours.add(target);
        line((mount.readOnly() ? "readonly_bind " : "bind ") + quote(mount.source()) + " " + inRoot(target));
    }

    private String inRoot(Path path) {
        return Toolbox.quote(root + path);
    }

    private static String quote(Path path) {
        return Toolbox.quote(path.toString());
    }

    /** The path with the links of its present part followed: a mount point must not go through one. */
    private static Path canonical(Path path) throws IOException {
        Path present = nearestPresent(path);
        return present.toRealPath().resolve(present.relativize(path)).normalize();
    }

    private static Path nearestPresent(Path path) {
        Path present = path;
        while (!Files.exists(present) || (!Files.isDirectory(present) && !present.equals(path))) {
            Path parent = present.getParent();
            if (parent == null) {
                break;
            }
            present = parent;
        }
        return Files.exists(present, LinkOption.NOFOLLOW_LINKS) ? present : Path.of("/");
    }

    private void line(String text) {
        script.append(text).append('\n');
    }
}
