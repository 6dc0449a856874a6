package io.atoll.store.sqlite;

import java.util.Comparator;

/**
 * Orders strings by their UTF-8 bytes.
 *
 * <p>Java orders them by UTF-16 units, which differs only where a surrogate meets a unit above the surrogates.
 */
final class KeyOrder implements Comparator<String> {
    static final KeyOrder INSTANCE = new KeyOrder();

    private KeyOrder() {}

    @Override
    public int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean oneIsSurrogate = Character.isSurrogate(a) != Character.isSurrogate(b);
                if (oneIsSurrogate && (a > Character.MAX_SURROGATE || b > Character.MAX_SURROGATE)) {
                    return Character.isSurrogate(a) ? 1 : -1;
                }
                return Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
