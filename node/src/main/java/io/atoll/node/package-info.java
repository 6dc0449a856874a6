/** Nodes and their kubelet side: registers nodes, runs the pods bound to them, streams into them. */
@NullMarked
package io.atoll.node;

import org.jspecify.annotations.NullMarked;
