/** Main and the wiring of each process: the only place that sees everything. */
@NullMarked
package io.atoll.app;

import org.jspecify.annotations.NullMarked;
