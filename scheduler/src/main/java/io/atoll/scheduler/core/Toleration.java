package io.atoll.scheduler.core;

import java.util.List;
import java.util.Optional;

/**
 * A toleration of a pod.
 *
 * @param key empty for every key
 * @param value empty optional for operator Exists, which takes every value
 * @param effect empty for every effect
 */
public record Toleration(String key, Optional<String> value, Optional<Taint.Effect> effect) {
    public boolean tolerates(Taint taint) {
        return (effect.isEmpty() || effect.get() == taint.effect())
                && (key.isEmpty() || key.equals(taint.key()))
                && (value.isEmpty() || value.get().equals(taint.value()));
    }

    static boolean anyTolerates(List<Toleration> tolerations, Taint taint) {
        for (Toleration toleration : tolerations) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }
}
