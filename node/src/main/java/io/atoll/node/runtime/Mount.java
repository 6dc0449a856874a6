package io.atoll.node.runtime;

import java.nio.file.Path;

/**
 * A file or folder of the machine that a container sees at a path of its own. Immutable.
 *
 * @param target absolute
 */
record Mount(Path source, Path target, boolean readOnly) {}
