package io.atoll.node.runtime;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * The few calls of the C library that Java has no counterpart for: named pipes, signals to process groups,
 * pseudo-terminals. Any thread.
 */
final class Libc {
    static final int SIGHUP = 1;
    static final int SIGKILL = 9;
    static final int SIGTERM = 15;

    private static final int ESRCH = 3;
    private static final int O_RDWR = 2;
    private static final int O_NOCTTY = 0x100;
    private static final int O_CLOEXEC = 0x80000;
    private static final long TIOCSWINSZ = 0x5414;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final MethodHandle MKFIFO = handle(
            "mkfifo", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT), CAPTURE);
    private static final MethodHandle KILL = handle(
            "kill", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), CAPTURE);
    private static final MethodHandle POSIX_OPENPT =
            handle("posix_openpt", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), CAPTURE);
    private static final MethodHandle GRANTPT =
            handle("grantpt", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), CAPTURE);
    private static final MethodHandle UNLOCKPT =
            handle("unlockpt", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), CAPTURE);
    private static final MethodHandle PTSNAME_R = handle(
            "ptsname_r",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    private static final MethodHandle IOCTL = handle(
            "ioctl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
            CAPTURE,
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle READ = handle(
            "read",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
            CAPTURE);
    private static final MethodHandle WRITE = handle(
            "write",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
            CAPTURE);
    private static final MethodHandle CLOSE =
            handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), CAPTURE);

    private Libc() {}

    /** Makes a named pipe that only this user may open. */
    static void makeFifo(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) MKFIFO.invokeExact(state, arena.allocateFrom(path.toString()), 0600);
            if (result != 0) {
                throw new IOException("mkfifo " + path + ": errno " + errno(state));
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Sends a signal to a process, or with a negative id to a process group.
     *
     * @return false when there is no such process any more
     */
    static boolean kill(long pid, int signal) {
        if (pid >= -1 && pid <= 1) {
            throw new IllegalArgumentException("pid " + pid + " would reach processes that are not ours");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) KILL.invokeExact(state, Math.toIntExact(pid), signal);
            return result == 0 || errno(state) != ESRCH;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Opens the master side of a new pseudo-terminal, ready for its other side to be opened. */
    static int openTerminal() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int master = (int) POSIX_OPENPT.invokeExact(state, O_RDWR | O_NOCTTY | O_CLOEXEC);
            if (master < 0) {
                throw new IOException("posix_openpt: errno " + errno(state));
            }
            int granted = (int) GRANTPT.invokeExact(state, master);
            int unlocked = (int) UNLOCKPT.invokeExact(state, master);
            if (granted != 0 || unlocked != 0) {
                int errno = errno(state);
                close(master);
                throw new IOException("cannot unlock a pseudo-terminal: errno " + errno);
            }
            return master;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The path of a pseudo-terminal's other side. */
    static String terminalName(int master) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(128);
            int result = (int) PTSNAME_R.invokeExact(master, name, 128L);
            if (result != 0) {
                throw new IOException("ptsname_r: errno " + result);
            }
            return name.getString(0);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void resizeTerminal(int master, int columns, int rows) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(8, 2);
            size.setAtIndex(ValueLayout.JAVA_SHORT, 0, (short) rows);
            size.setAtIndex(ValueLayout.JAVA_SHORT, 1, (short) columns);
            int ignored = (int) IOCTL.invokeExact(arena.allocate(STATE), master, TIOCSWINSZ, size);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Reads what is there, blocking for the first byte; -1 at the end, which a terminal reports as an error. */
    static int read(int descriptor, MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            long count = (long) READ.invokeExact(arena.allocate(STATE), descriptor, buffer, buffer.byteSize());
            return count <= 0 ? -1 : Math.toIntExact(count);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void write(int descriptor, byte[] bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            long done = 0;
            while (done < bytes.length) {
                long count = (long) WRITE.invokeExact(state, descriptor, buffer.asSlice(done), bytes.length - done);
                if (count < 0) {
                    throw new IOException("write to the terminal: errno " + errno(state));
                }
                done += count;
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), descriptor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    @SuppressWarnings("restricted") // native access is granted on the command line
    private static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
    }

    private static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException(e);
    }
}
