package io.atoll.cli;

import io.atoll.model.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code NAME [-n NAMESPACE]}, shared by every command about one tenant. */
final class TenantName {
    /** The host object's name is {@code pod-x-namespace-x-tenant}: a longer tenant name would hash nearly all of them. */
    private static final int LENGTH_MAX = 48;

    @Parameters(index = "0", paramLabel = "NAME", description = "The tenant's name.")
    private String name = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NS",
            description = "The host namespace that holds it (default: vcluster-NAME).")
    private @Nullable String namespace;

    /** The name, checked. */
    String name() {
        check("name", name);
        if (name.length() > LENGTH_MAX) {
            throw CommandFailure.usage(
                    "name '" + name + "' has " + name.length() + " characters; use at most " + LENGTH_MAX);
        }
        return name;
    }

    /** The namespace, checked. */
    String namespace() {
        String chosen = namespace == null ? TenantClusters.defaultNamespace(name()) : namespace;
        check("namespace", chosen);
        return chosen;
    }

    private static void check(String what, String value) {
        List<String> mistakes = Names.dnsLabelErrors(value);
        if (!mistakes.isEmpty()) {
            throw CommandFailure.usage(what + " '" + value + "' is invalid: " + mistakes.getFirst());
        }
    }
}
