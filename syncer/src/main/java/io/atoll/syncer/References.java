package io.atoll.syncer;

import io.atoll.reconcile.ObjectKey;
import io.atoll.syncer.translate.PodReferences;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which pods refer to which objects, by kind. Any thread; guarded by the instance's lock. */
final class References {
    private final Map<ObjectKey, PodReferences> byPod = new HashMap<>();
    private final Map<Target, Set<ObjectKey>> pods = new HashMap<>();

    /** What can be referred to. */
    enum Kind {
        CONFIG_MAP,
        SECRET
    }

    /** An object that pods refer to. */
    record Target(Kind kind, ObjectKey key) {}

    /** Records what a pod refers to; returns the objects for which that is news. */
    synchronized Set<Target> put(ObjectKey pod, PodReferences references) {
        Set<Target> changed = remove(pod);
        byPod.put(pod, references);
        for (Target target : targets(pod, references)) {
            pods.computeIfAbsent(target, _ -> new HashSet<>()).add(pod);
            if (!changed.remove(target)) {
                changed.add(target);
            }
        }
        return changed;
    }

    /** Forgets a pod; returns the objects that it referred to. */
    synchronized Set<Target> remove(ObjectKey pod) {
        PodReferences references = byPod.remove(pod);
        if (references == null) {
            return new HashSet<>();
        }
        Set<Target> targets = targets(pod, references);
        for (Target target : targets) {
            Set<ObjectKey> users = pods.get(target);
            if (users != null && users.remove(pod) && users.isEmpty()) {
                pods.remove(target);
            }
        }
        return targets;
    }

    synchronized boolean isReferred(Kind kind, ObjectKey key) {
        return pods.containsKey(new Target(kind, key));
    }

    private static Set<Target> targets(ObjectKey pod, PodReferences references) {
        Set<Target> targets = new HashSet<>();
        references.configMaps().forEach(name -> targets.add(target(Kind.CONFIG_MAP, pod, name)));
        references.secrets().forEach(name -> targets.add(target(Kind.SECRET, pod, name)));
        return targets;
    }

    private static Target target(Kind kind, ObjectKey pod, String name) {
        return new Target(kind, new ObjectKey(pod.namespace(), name));
    }
}
