package io.atoll.cli;

import io.atoll.client.Client;
import io.atoll.client.Kubeconfig;
import io.atoll.client.RestClient;
import io.atoll.client.http.Credentials;
import io.atoll.client.http.HttpTransport;
import io.atoll.model.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A command's connection to the embedded host, as its cluster-admin. One thread; closed with the command. */
final class HostSession implements AutoCloseable {
    /** How the commands name themselves to servers. */
    static final String USER_AGENT = "atoll";

    private final HttpTransport transport;
    private final Client client;

    private HostSession(HttpTransport transport) {
        this.transport = transport;
        this.client = new RestClient(transport, USER_AGENT);
    }

    /** Connects to the host that runs in the directory. */
    static HostSession open(HostDirectory directory) {
        if (new HostProcess(directory).find().isEmpty()) {
            throw new CommandFailure("no host runs in " + directory.path() + "; start it with 'atoll up'");
        }
        try {
            // Not its current context: who has KUBECONFIG set to this file connects to tenants in it.
            Kubeconfig file = Kubeconfig.read(directory.kubeconfig());
            return new HostSession(new HttpTransport(Credentials.of(file, UserKubeconfig.HOST_CONTEXT)));
        } catch (java.io.IOException e) {
            throw new CommandFailure("cannot read " + directory.kubeconfig() + ": " + e.getMessage());
        }
    }

    /** As {@link #open}, but starts the host when none runs. */
    static HostSession openOrStart(HostDirectory directory, Console console) {
        HostProcess process = new HostProcess(directory);
        if (process.find().isEmpty()) {
            console.step("starting the embedded host in " + directory.path());
            console.step("the host answers at " + process.start(console));
        }
        return open(directory);
    }

    Client client() {
        return client;
    }

    /** A tenant that must be there. */
    ObjectNode tenant(String namespace, String name) {
        return client.find(TenantClusters.TYPE, namespace, name)
                .orElseThrow(() -> new CommandFailure(
                        "no tenant '" + name + "' in namespace '" + namespace + "'; 'atoll list' shows what there is"));
    }

    /** The kubeconfig of a tenant's cluster-admin. */
    Kubeconfig tenantKubeconfig(String namespace, String name) {
        tenant(namespace, name);
        Optional<ObjectNode> secret = client.find(TenantClusters.SECRETS, namespace, TenantClusters.secretName(name));
        String encoded = secret.map(object -> object.path("data").path("config").asString(""))
                .orElse("");
        if (encoded.isEmpty()) {
            throw new CommandFailure("tenant '" + name + "' has no credentials yet; is it running? See 'atoll describe "
                    + name + " -n " + namespace + "'");
        }
        return Kubeconfig.parse(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
    }

    /** Makes a namespace unless it is there; says whether it did. */
    boolean createNamespace(String namespace) {
        if (client.find(TenantClusters.NAMESPACES, "", namespace).isPresent()) {
            return false;
        }
        ObjectNode object = io.atoll.model.Json.object();
        object.putObject("metadata")
                .put("name", namespace)
                .putObject("annotations")
                .put(TenantClusters.CREATED_BY_CLI, "true");
        try {
            client.create(TenantClusters.NAMESPACES, "", object);
            return true;
        } catch (ApiException e) {
            if (e.code() == 409) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
