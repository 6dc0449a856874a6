package io.atoll.apiserver.registry;

import io.atoll.model.Names;
import java.util.List;

/** What the names of a kind look like. */
public enum NameRule {
    SUBDOMAIN,
    LABEL,
    SERVICE,
    PATH_SEGMENT;

    /** What is wrong with a name; empty when nothing is. */
    public List<String> errors(String name) {
        return switch (this) {
            case SUBDOMAIN -> Names.dnsSubdomainErrors(name);
            case LABEL -> Names.dnsLabelErrors(name);
            case SERVICE -> Names.dns1035LabelErrors(name);
            case PATH_SEGMENT -> Names.pathSegmentErrors(name);
        };
    }
}
