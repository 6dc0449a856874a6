package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.model.ApiException;
import io.atoll.model.pod.PodStreams;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Tunnels to ports of a pod. */
final class PortForward implements Verb {
    @Override
    public ApiResponse run(Call call) {
        RunningPods.requireCreate(call);
        ObjectNode pod = RunningPods.assigned(call);
        List<Integer> ports = new ArrayList<>();
        for (String value : call.http().query().getOrDefault("ports", List.of())) {
            for (String port : value.split(",")) {
                ports.add(port(port));
            }
        }
        PodStreams pods = RunningPods.streams(call);
        return new ApiResponse.Upgrade(new ApiResponse.Session.Ports(
                ports, (port, streams) -> pods.portForward(call.registry().tenant(), pod, port, streams)));
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65536) {
                return port;
            }
        } catch (NumberFormatException _) {
            // the message below
        }
        throw ApiException.badRequest("unable to parse \"" + text + "\" as a port");
    }
}
