package io.atoll.cli;

import io.atoll.client.Kubeconfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The kubeconfig that the user's kubectl reads: where tenants' contexts come and go. One thread.
 *
 * <p>A tenant's context remembers, in its extensions, which context was current before: {@code atoll disconnect} goes
 * back there.
 */
final class UserKubeconfig {
    /** The context that stands for the embedded host when there was none before. */
    static final String HOST_CONTEXT = "atoll-host";

    private static final String PREVIOUS = "atoll.dev/previous-context";

    private final List<Path> files;

    private UserKubeconfig(List<Path> files) {
        this.files = files;
    }

    static UserKubeconfig of(Map<String, String> environment, @Nullable Path chosen) {
        return new UserKubeconfig(
                chosen != null
                        ? List.of(chosen)
                        : Kubeconfig.files(
                                environment.getOrDefault("KUBECONFIG", ""),
                                Path.of(environment.getOrDefault("HOME", "."))));
    }

    /** The file that changes go to. */
    Path file() {
        return Kubeconfig.fileToWrite(files);
    }

    String currentContext() {
        try {
            return Kubeconfig.load(files).currentContext();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Adds a tenant's credentials under a context and makes it current. */
    void connect(Kubeconfig tenant, String context) {
        try {
            Kubeconfig whole = Kubeconfig.load(files);
            String before = whole.currentContext();
            if (before.equals(context)) {
                before = previous(whole, context);
            }
            Kubeconfig own = Kubeconfig.read(file());
            own.merge(tenant);
            own.useContext(context);
            String remembered = before;
            own.context(context).ifPresent(found -> remember(found, remembered));
            own.write(file());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Goes back to the context before the current tenant's, else to the host's; returns its name. */
    String disconnect(Path hostKubeconfig) {
        try {
            Kubeconfig whole = Kubeconfig.load(files);
            String current = whole.currentContext();
            if (!current.startsWith("atoll_")) {
                throw new CommandFailure("kubectl does not point at a tenant"
                        + (current.isEmpty() ? "" : " (its context is '" + current + "')"));
            }
            Kubeconfig own = Kubeconfig.read(file());
            String before = previous(whole, current);
            if (before.isEmpty() || whole.context(before).isEmpty()) {
                before = HOST_CONTEXT;
                own.merge(Kubeconfig.read(hostKubeconfig));
            }
            own.useContext(before);
            own.write(file());
            return before;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Removes a tenant's context; kubectl then points to where it pointed before. */
    void forget(String context) {
        try {
            Kubeconfig own = Kubeconfig.read(file());
            if (own.context(context).isEmpty()) {
                return;
            }
            String before = previous(own, context);
            boolean current = own.currentContext().equals(context);
            own.removeContext(context);
            if (current) {
                own.useContext(Kubeconfig.load(files).context(before).isPresent() ? before : "");
            }
            own.write(file());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static String previous(Kubeconfig config, String context) {
        Optional<ObjectNode> found = config.context(context);
        for (JsonNode extension : found.map(entry -> entry.path("extensions")).orElseGet(io.atoll.model.Json::array)) {
            if (extension.path("name").asString("").equals(PREVIOUS)) {
                return extension.path("extension").path("context").asString("");
            }
        }
        return "";
    }

    private static void remember(ObjectNode context, String before) {
        ArrayNode extensions =
                context.path("extensions") instanceof ArrayNode present ? present : context.putArray("extensions");
        for (int i = extensions.size() - 1; i >= 0; i--) {
            if (extensions.path(i).path("name").asString("").equals(PREVIOUS)) {
                extensions.remove(i);
            }
        }
        if (!before.isEmpty()) {
            extensions.addObject().put("name", PREVIOUS).putObject("extension").put("context", before);
        }
    }

    private CommandFailure unreadable(IOException e) {
        return new CommandFailure("cannot read or write the kubeconfig " + file() + ": " + e.getMessage());
    }
}
