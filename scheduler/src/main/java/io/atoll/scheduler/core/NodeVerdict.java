package io.atoll.scheduler.core;

/** What a node says to a pod whatever runs on it, in the order in which Kubernetes asks. */
enum NodeVerdict {
    FITS(""),
    NAMED_OTHERS("node(s) didn't satisfy plugin(s) [NodeAffinity]"),
    UNSCHEDULABLE("node(s) were unschedulable"),
    TAINTED("node(s) had untolerated taint(s)"),
    NOT_SELECTED("node(s) didn't match Pod's node affinity/selector");

    private final String reason;

    NodeVerdict(String reason) {
        this.reason = reason;
    }

    String reason() {
        return reason;
    }

    static NodeVerdict of(PodShape shape, NodeSpec node) {
        if (shape.namesOtherNodes(node.name())) {
            return NAMED_OTHERS;
        }
        if (node.unschedulable() && !Toleration.anyTolerates(shape.tolerations(), NodeSpec.UNSCHEDULABLE_TAINT)) {
            return UNSCHEDULABLE;
        }
        if (!shape.toleratesAll(node)) {
            return TAINTED;
        }
        return shape.selects(node) ? FITS : NOT_SELECTED;
    }
}
