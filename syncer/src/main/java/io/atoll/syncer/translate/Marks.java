package io.atoll.syncer.translate;

/** Keys of labels and annotations that the syncer sets and trusts on host objects: vCluster's, so that tools know them. */
public final class Marks {
    /** Keys with this prefix are the syncer's own; a tenant cannot set them on the host. */
    public static final String PREFIX = "vcluster.loft.sh/";

    /** Labels. */
    public static final String MANAGED_BY = PREFIX + "managed-by";

    public static final String NAMESPACE = PREFIX + "namespace";
    public static final String CONTROLLED_BY = PREFIX + "controlled-by";
    public static final String FAKE_NODE = PREFIX + "fake-node";

    /** Annotations. */
    public static final String OBJECT_NAME = PREFIX + "object-name";

    public static final String OBJECT_NAMESPACE = PREFIX + "object-namespace";
    public static final String OBJECT_UID = PREFIX + "object-uid";
    public static final String OBJECT_KIND = PREFIX + "object-kind";
    public static final String OBJECT_HOST_NAME = PREFIX + "object-host-name";
    public static final String OBJECT_HOST_NAMESPACE = PREFIX + "object-host-namespace";
    public static final String MANAGED_ANNOTATIONS = PREFIX + "managed-annotations";
    public static final String MANAGED_LABELS = PREFIX + "managed-labels";

    /** Annotations that pods read through the downward API. */
    public static final String POD_NAME = PREFIX + "name";

    public static final String POD_NAMESPACE = PREFIX + "namespace";
    public static final String POD_UID = PREFIX + "uid";
    public static final String POD_LABELS = PREFIX + "labels";
    public static final String POD_ANNOTATIONS = PREFIX + "annotations";
    public static final String SERVICE_ACCOUNT = PREFIX + "service-account-name";
    public static final String OWNERS = PREFIX + "owner-references";
    public static final String OWNER_KIND = PREFIX + "owner-set-kind";

    /** On a host Secret with a pod's tokens: when they are to be renewed, in RFC 3339. */
    public static final String RENEW_AT = PREFIX + "token-renew-at";

    /** Syncs a ConfigMap or Secret that nothing refers to. */
    public static final String FORCE_SYNC = PREFIX + "force-sync";

    private Marks() {}
}
