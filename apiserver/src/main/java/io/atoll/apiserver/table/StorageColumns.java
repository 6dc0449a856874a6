package io.atoll.apiserver.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

import static io.atoll.apiserver.table.Column.age;
import static io.atoll.apiserver.table.Column.bool;
import static io.atoll.apiserver.table.Column.integer;
import static io.atoll.apiserver.table.Column.named;
import static io.atoll.apiserver.table.Column.text;

/** Columns of volumes, claims, storage classes, CSI objects and dynamic resources. */
final class StorageColumns {
    private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
    private static final List<String> DEFAULT_ANNOTATIONS =
            List.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");
    private static final Map<String, String> ACCESS_MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
    private static final List<String> ACCESS_MODE_ORDER =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");

    private StorageColumns() {}

    static void addTo(BuiltInColumns.Registry registry) {
        registry.add(
                "/PersistentVolume",
                named(),
                text("Capacity", "@spec.capacity", row -> quantity(row, "spec.capacity")),
                text("Access Modes", "@spec.accessModes", row -> accessModes(row, "spec.accessModes")),
                text("Reclaim Policy", "spec.persistentVolumeReclaimPolicy"),
                text("Status", "@status.phase", StorageColumns::phase),
                text("Claim", "@spec.claimRef", StorageColumns::claim),
                text("StorageClass", "The volume's storage class.", StorageColumns::storageClass),
                text(
                        "VolumeAttributesClass",
                        "spec.volumeAttributesClassName",
                        Row.UNSET,
                        "@spec.volumeAttributesClassName"),
                text("Reason", "status.reason"),
                age(),
                text("VolumeMode", "spec.volumeMode", Row.UNSET, "@spec.volumeMode")
                        .wide());
        registry.add(
                "/PersistentVolumeClaim",
                named(),
                text("Status", "@status.phase", StorageColumns::phase),
                text("Volume", "spec.volumeName"),
                text("Capacity", "@status.capacity", row -> isBound(row) ? quantity(row, "status.capacity") : ""),
                text(
                        "Access Modes",
                        "@status.accessModes",
                        row -> isBound(row) ? accessModes(row, "status.accessModes") : ""),
                text("StorageClass", "The claim's storage class.", StorageColumns::storageClass),
                text(
                        "VolumeAttributesClass",
                        "spec.volumeAttributesClassName",
                        Row.UNSET,
                        "@spec.volumeAttributesClassName"),
                age(),
                text("VolumeMode", "spec.volumeMode", Row.UNSET, "@spec.volumeMode")
                        .wide());
        registry.add(
                "storage.k8s.io/StorageClass",
                named(row -> row.name() + (isDefault(row) ? " (default)" : "")),
                text("Provisioner", "provisioner"),
                text("ReclaimPolicy", "reclaimPolicy", "Delete", "@reclaimPolicy"),
                text("VolumeBindingMode", "volumeBindingMode", "Immediate", "@volumeBindingMode"),
                text("AllowVolumeExpansion", "@allowVolumeExpansion", row -> row.bool("allowVolumeExpansion", false)),
                age());
        registry.add("storage.k8s.io/VolumeAttributesClass", named(), text("DriverName", "driverName"), age());
        registry.add(
                "storage.k8s.io/VolumeAttachment",
                named(),
                text("Attacher", "spec.attacher"),
                text("PV", "spec.source.persistentVolumeName"),
                text("Node", "spec.nodeName"),
                bool("Attached", "status.attached", false),
                age());
        registry.add(
                "storage.k8s.io/CSINode",
                named(),
                integer("Drivers", "@spec.drivers", row -> (long) row.count("spec.drivers")),
                age());
        registry.add(
                "storage.k8s.io/CSIDriver",
                named(),
                bool("AttachRequired", "spec.attachRequired", true),
                bool("PodInfoOnMount", "spec.podInfoOnMount", false),
                bool("StorageCapacity", "spec.storageCapacity", false),
                text(
                        "TokenRequests",
                        "@spec.tokenRequests",
                        row -> row.has("spec.tokenRequests")
                                ? row.joined("spec.tokenRequests", "audience")
                                : Row.UNSET),
                bool("RequiresRepublish", "spec.requiresRepublish", false),
                text("Modes", "@spec.volumeLifecycleModes", StorageColumns::modes),
                age());
        registry.add(
                "storage.k8s.io/CSIStorageCapacity",
                named(),
                text("StorageClassName", "storageClassName"),
                text("Capacity", "capacity", Row.UNSET, "@capacity"));
        registry.add("resource.k8s.io/DeviceClass", named(), age());
        registry.add(
                "resource.k8s.io/ResourceClaim",
                named(),
                text("State", "How the claim stands.", StorageColumns::claimState),
                age());
        registry.add("resource.k8s.io/ResourceClaimTemplate", named(), age());
        registry.add(
                "resource.k8s.io/ResourceSlice",
                named(),
                text("Node", "spec.nodeName"),
                text("Driver", "spec.driver"),
                text("Pool", "spec.pool.name"),
                age());
    }

    private static String quantity(Row row, String path) {
        String size = Row.text(row.at(path).path("storage"));
        return size.isEmpty() ? "0" : size;
    }

    private static String accessModes(Row row, String path) {
        List<String> present = Row.strings(row.at(path));
        return String.join(
                ",",
                ACCESS_MODE_ORDER.stream()
                        .filter(present::contains)
                        .map(mode -> ACCESS_MODES.getOrDefault(mode, mode))
                        .toList());
    }

    private static String phase(Row row) {
        return row.deleting() ? "Terminating" : row.text("status.phase");
    }

    private static boolean isBound(Row row) {
        return !row.text("spec.volumeName").isEmpty();
    }

    private static String claim(Row row) {
        return row.has("spec.claimRef")
                ? row.text("spec.claimRef.namespace") + "/" + row.text("spec.claimRef.name")
                : "";
    }

    private static String storageClass(Row row) {
        JsonNode annotation = row.at("metadata.annotations").path(CLASS_ANNOTATION);
        return annotation.isMissingNode() ? row.text("spec.storageClassName") : Row.text(annotation);
    }

    private static boolean isDefault(Row row) {
        JsonNode annotations = row.at("metadata.annotations");
        return DEFAULT_ANNOTATIONS.stream().anyMatch(name -> "true".equals(Row.text(annotations.path(name))));
    }

    private static String modes(Row row) {
        String modes = row.joined("spec.volumeLifecycleModes", "");
        return modes.isEmpty() ? Row.NONE : modes;
    }

    private static String claimState(Row row) {
        List<String> states = new ArrayList<>();
        if (row.deleting()) {
            states.add("deleted");
        }
        if (row.has("status.allocation")) {
            states.add("allocated");
            if (row.count("status.reservedFor") > 0) {
                states.add("reserved");
            }
        } else if (!row.deleting()) {
            states.add("pending");
        }
        return String.join(",", states);
    }
}
