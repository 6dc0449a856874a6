package io.atoll.controllers;

import java.util.Arrays;

/** Looks into encoded objects without parsing them. Stateless. */
final class Bytes {
    private Bytes() {}

    static boolean contains(byte[] text, byte[] word) {
        for (int i = 0; i <= text.length - word.length; i++) {
            if (text[i] == word[0] && Arrays.equals(text, i, i + word.length, word, 0, word.length)) {
                return true;
            }
        }
        return false;
    }
}
