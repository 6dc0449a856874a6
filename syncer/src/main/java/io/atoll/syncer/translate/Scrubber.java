package io.atoll.syncer.translate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the host's names out of messages: events, conditions, errors. Remembers the names it has been told, for those
 * that are cut and hashed cannot be read back. Any thread; guarded by the instance's lock.
 */
public final class Scrubber {
    private static final int NAMES_MAX = 10_000;

    private final HostNames names;
    private final Pattern translated;
    private final Pattern namespace;
    private final Map<String, String> hashed = new LinkedHashMap<>();

    public Scrubber(HostNames names) {
        this.names = names;
        String tenant = Pattern.quote(names.managedBy());
        // A name that can be read off is short; without the bounds a message costs the cube of its length.
        this.translated =
                Pattern.compile("([a-z0-9](?:[a-z0-9.-]{0,60}?[a-z0-9])?)-x-([a-z0-9](?:[a-z0-9-]{0,60}?[a-z0-9])?)-x-"
                        + tenant + "(?:\\.tokens)?(?![a-z0-9-])");
        this.namespace = Pattern.compile("(?<![a-z0-9.-])" + Pattern.quote(names.namespace()) + "(?![a-z0-9.-])");
    }

    /** Remembers a name that a hash hides. */
    public synchronized void remember(String namespace, String name) {
        String host = names.of(namespace, name);
        if (names.isHashed(host)) {
            hashed.put(host, name);
            if (hashed.size() > NAMES_MAX) {
                hashed.remove(hashed.keySet().iterator().next());
            }
        }
    }

    /**
     * The message with the tenant's names.
     *
     * @param tenantNamespace what the host namespace is for the reader; empty when it is none of the tenant's
     */
    public String scrub(String message, String tenantNamespace) {
        String text = message.replace(names.rootCertificate(), PodReferences.ROOT_CERTIFICATE);
        synchronized (this) {
            for (Map.Entry<String, String> entry : hashed.entrySet()) {
                text = text.replace(entry.getKey(), entry.getValue());
            }
        }
        Matcher match = translated.matcher(text);
        text = match.replaceAll("$1");
        String shown = tenantNamespace.isEmpty() ? "default" : tenantNamespace;
        return namespace.matcher(text).replaceAll(Matcher.quoteReplacement(shown));
    }
}
