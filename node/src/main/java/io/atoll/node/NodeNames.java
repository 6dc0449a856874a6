package io.atoll.node;

import java.nio.charset.StandardCharsets;

/** Finds the node of an encoded pod without parsing it: most events of a host are of other nodes' pods. Stateless. */
final class NodeNames {
    private static final byte[] FIELD = "\"nodeName\":\"".getBytes(StandardCharsets.UTF_8);

    private NodeNames() {}

    /** The first {@code nodeName} in an object's bytes; empty when there is none. A hint: the parsed pod decides. */
    static String of(byte[] json) {
        for (int i = 0; i + FIELD.length < json.length; i++) {
            if (json[i] == '"' && matches(json, i)) {
                int from = i + FIELD.length;
                int to = from;
                while (to < json.length && json[to] != '"') {
                    to++;
                }
                return new String(json, from, to - from, StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private static boolean matches(byte[] json, int at) {
        for (int i = 1; i < FIELD.length; i++) {
            if (json[at + i] != FIELD[i]) {
                return false;
            }
        }
        return true;
    }
}
