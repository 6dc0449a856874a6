package io.atoll.apiserver.registry;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** Between a served version of a resource and the one in the store. Stateless; any thread. */
public interface Conversion {
    /** Changes the tree to the stored version. */
    ObjectNode toStorage(ObjectNode served);

    /** Changes the tree to the served version. */
    ObjectNode fromStorage(ObjectNode stored);

    /** The object encoded in the served version. */
    default byte[] encode(CachedObject object) {
        return Json.encode(fromStorage(object.tree()));
    }

    /** The served version is the stored one. */
    Conversion NONE = new Conversion() {
        @Override
        public ObjectNode toStorage(ObjectNode served) {
            return served;
        }

        @Override
        public ObjectNode fromStorage(ObjectNode stored) {
            return stored;
        }

        @Override
        public byte[] encode(CachedObject object) {
            return object.json();
        }
    };

    /** Versions that differ by their {@code apiVersion} alone: custom resources with strategy None. */
    record Renaming(String servedVersion, String storedVersion) implements Conversion {
        @Override
        public ObjectNode toStorage(ObjectNode served) {
            served.put("apiVersion", storedVersion);
            return served;
        }

        @Override
        public ObjectNode fromStorage(ObjectNode stored) {
            stored.put("apiVersion", servedVersion);
            return stored;
        }

        /** The stored form starts with kind and apiVersion, so the version is spliced without a parse. */
        @Override
        public byte[] encode(CachedObject object) {
            byte[] json = object.json();
            byte[] key = "\"apiVersion\":\"".getBytes(StandardCharsets.UTF_8);
            int at = indexOf(json, key);
            if (at < 0) {
                return Conversion.super.encode(object);
            }
            int from = at + key.length;
            int to = from;
            while (json[to] != '"') {
                to++;
            }
            byte[] version = servedVersion.getBytes(StandardCharsets.UTF_8);
            byte[] result = new byte[json.length - (to - from) + version.length];
            System.arraycopy(json, 0, result, 0, from);
            System.arraycopy(version, 0, result, from, version.length);
            System.arraycopy(json, to, result, from + version.length, json.length - to);
            return result;
        }

        private static int indexOf(byte[] json, byte[] key) {
            outer:
            for (int at = 0; at + key.length < json.length; at++) {
                for (int i = 0; i < key.length; i++) {
                    if (json[at + i] != key[i]) {
                        continue outer;
                    }
                }
                return at;
            }
            return -1;
        }
    }
}
