package io.atoll.scheduler.crd;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import io.atoll.model.Yaml;
import io.atoll.model.schema.BuiltInTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a cluster needs before KAI's manifests work in it. Definitions are Atoll's: each start brings them up to date in
 * place. Priority classes and default queues are the cluster's: they are made when missing and else left as they are.
 * Stateless.
 */
public final class SchedulingObjects {
    private static final String FIELD_MANAGER = "atoll";
    private static final List<String> DEFINITIONS = List.of(
            "queues.yaml",
            "podgroups.yaml",
            "bindrequests.yaml",
            "topologies.yaml",
            "schedulingshards.yaml",
            "configs.yaml");

    private SchedulingObjects() {}

    /** Fresh trees of the CustomResourceDefinitions. */
    public static List<ObjectNode> definitions() {
        return DEFINITIONS.stream()
                .map(SchedulingObjects::text)
                .map(Yaml::parse)
                .toList();
    }

    /** Fresh trees of the PriorityClasses. */
    public static List<ObjectNode> priorityClasses() {
        return documents("priorityclasses.yaml");
    }

    /** Fresh trees of the first queues, parents before children. */
    public static List<ObjectNode> defaultQueues() {
        return documents("default-queues.yaml");
    }

    /** Creates what is missing and brings the definitions up to date. Calling it again changes nothing. */
    public static void install(Client client) {
        for (ObjectNode definition : definitions()) {
            client.apply(
                    BuiltInTypes.CUSTOM_RESOURCE_DEFINITIONS, "", Metadata.name(definition), FIELD_MANAGER, definition);
        }
        priorityClasses().forEach(object -> createOnce(client, BuiltInTypes.PRIORITY_CLASSES, object));
        defaultQueues().forEach(object -> createOnce(client, SchedulingTypes.QUEUES, object));
    }

    private static void createOnce(Client client, ResourceType type, ObjectNode object) {
        if (client.find(type, "", Metadata.name(object)).isPresent()) {
            return;
        }
        try {
            client.create(type, "", object);
        } catch (ApiException e) {
            if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
        }
    }

    private static List<ObjectNode> documents(String file) {
        return Yaml.parseAll(text(file)).stream().map(ObjectNode.class::cast).toList();
    }

    private static String text(String file) {
        try (InputStream in =
                Objects.requireNonNull(SchedulingObjects.class.getResourceAsStream(file), "no resource " + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
