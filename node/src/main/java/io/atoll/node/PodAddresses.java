package io.atoll.node;

import java.util.BitSet;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives each pod an address of its own: pods that run as processes one of this machine's loopback network, which a
 * server on all interfaces answers on; simulated ones one that leads nowhere. Any thread.
 */
final class PodAddresses {
    private static final int ADDRESSES_MAX = 1 << 22;

    private final Range processes = new Range(127);
    private final Range simulated = new Range(10);

    /** The pod's address: the one in its status if it has one, the node's for a pod in the host's network. */
    String of(ObjectNode pod, HostedNode node) {
        if (pod.path("spec").path("hostNetwork").asBoolean(false)) {
            return node.shape().address();
        }
        Range range = node.shape().simulated() ? simulated : processes;
        String known = pod.path("status").path("podIP").asString("");
        return range.take(known);
    }

    void release(String address) {
        processes.release(address);
        simulated.release(address);
    }

    /** {@code N.64.0.0/10}. */
    private static final class Range {
        private final int first;
        private final BitSet taken = new BitSet();

        Range(int first) {
            this.first = first;
            taken.set(0);
        }

        synchronized String take(String known) {
            int index = index(known);
            if (index <= 0) {
                index = taken.nextClearBit(1);
            }
            if (index >= ADDRESSES_MAX) {
                return "";
            }
            taken.set(index);
            return first + "." + (64 + (index >> 16)) + "." + ((index >> 8) & 255) + "." + (index & 255);
        }

        synchronized void release(String address) {
            int index = index(address);
            if (index > 0) {
                taken.clear(index);
            }
        }

        private int index(String address) {
            String[] parts = address.split("\\.");
            if (!address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || Integer.parseInt(parts[0]) != first) {
                return -1;
            }
            int high = Integer.parseInt(parts[1]) - 64;
            return high < 0 || high > 63
                    ? -1
                    : (high << 16) | (Integer.parseInt(parts[2]) << 8) | Integer.parseInt(parts[3]);
        }
    }
}
