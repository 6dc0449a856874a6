package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The shared GPUs of one node, by group: a group is one device that pods have parts of. On the snapshot's thread.
 *
 * <p>A device is taken whole while a group is on it; parts are counted in millionths of a device.
 */
final class GpuShares {
    /** What a change of a group means for the node's count of whole GPUs. */
    record Change(int used, int releasing) {}

    /** Devices found for a pod: groups that are there, and how many devices to open new groups on. */
    record Choice(List<String> groups, int opened, boolean now) {}

    /** What the pods that hold a group in one way have of it. */
    private static final class Part {
        private long portion;
        private int pods;
    }

    private static final class Group {
        private final Part taken = new Part();
        private final Part leaving = new Part();
        private final Part awaited = new Part();

        private Part part(PlacedPod.Hold hold) {
            return switch (hold) {
                case TAKEN -> taken;
                case LEAVING -> leaving;
                case AWAITED -> awaited;
            };
        }

        private int used() {
            return taken.pods > 0 || leaving.pods > 0 ? 1 : 0;
        }

        private int releasing() {
            if (taken.pods > 0) {
                return 0;
            }
            return (leaving.pods > 0 ? 1 : 0) - (awaited.pods > 0 ? 1 : 0);
        }

        private long freeLater() {
            return GpuShare.WHOLE - taken.portion - awaited.portion;
        }

        private long freeNow() {
            return Math.min(freeLater(), GpuShare.WHOLE - taken.portion - leaving.portion);
        }

        private boolean isEmpty() {
            return used() == 0 && awaited.pods == 0;
        }
    }

    private final SortedMap<String, Group> groups = new TreeMap<>();

    Change change(String name, long portion, int pods, PlacedPod.Hold hold) {
        Group group = groups.computeIfAbsent(name, _ -> new Group());
        int used = group.used();
        int releasing = group.releasing();
        Part part = group.part(hold);
        part.portion += portion;
        part.pods += pods;
        Change change = new Change(group.used() - used, group.releasing() - releasing);
        if (group.isEmpty()) {
            groups.remove(name);
        }
        return change;
    }

    /** The free part of the shared GPUs now, in millionths. */
    long free() {
        return groups.values().stream().mapToLong(Group::freeLater).sum();
    }

    /** How many parts of so much the shared GPUs have free once the leaving pods are gone. */
    long parts(long portion) {
        return groups.values().stream()
                .mapToLong(group -> Math.max(0, group.freeLater()) / portion)
                .sum();
    }

    /** What is free of a group once the leaving pods are gone. */
    long freeLater(String name) {
        Group group = groups.get(name);
        return group == null ? GpuShare.WHOLE : group.freeLater();
    }

    /** Whether only leaving pods have parts of a group, so that its GPU is given back. */
    boolean isLeft(String name) {
        Group group = groups.get(name);
        return group == null || (group.taken.pods == 0 && group.awaited.pods == 0);
    }

    /** Whether a group that is there takes the portion now. */
    boolean takes(long portion) {
        return groups.values().stream().anyMatch(group -> group.freeNow() >= portion);
    }

    /**
     * Chooses devices.
     *
     * @param wholeNow whole GPUs that are free now
     * @param wholeLater whole GPUs that are free once leaving pods are gone
     * @param pack whether the fullest shared GPU is first choice, else a whole one
     */
    Optional<Choice> choose(long portion, int devices, long wholeNow, long wholeLater, boolean pack) {
        Optional<Choice> now = choose(portion, devices, wholeNow, pack, true);
        return now.isPresent() ? now : choose(portion, devices, wholeLater, pack, false);
    }

    private Optional<Choice> choose(long portion, int devices, long whole, boolean pack, boolean now) {
        List<String> chosen = new ArrayList<>();
        int fresh = pack ? 0 : (int) Math.min(devices, Math.max(0, whole));
        if (fresh < devices) {
            groups.entrySet().stream()
                    .filter(entry ->
                            (now ? entry.getValue().freeNow() : entry.getValue().freeLater()) >= portion)
                    .sorted(Comparator.comparingLong(entry -> pack
                            ? entry.getValue().freeLater()
                            : -entry.getValue().freeLater()))
                    .limit(devices - fresh)
                    .forEach(entry -> chosen.add(entry.getKey()));
        }
        int opened = devices - chosen.size();
        return portion <= GpuShare.WHOLE && opened <= Math.max(0, whole)
                ? Optional.of(new Choice(chosen, opened, now))
                : Optional.empty();
    }
}
