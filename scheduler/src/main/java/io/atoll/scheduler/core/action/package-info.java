/** What a cycle does: gives jobs nodes, and takes nodes from some for others. */
@NullMarked
package io.atoll.scheduler.core.action;

import org.jspecify.annotations.NullMarked;
