package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.base.TenantId;
import io.atoll.model.ApiException;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.PodContainers;
import io.atoll.model.pod.PodStreams;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Runs a command in a container, or attaches to its main process. */
final class Exec implements Verb {
    @Override
    public ApiResponse run(Call call) {
        RunningPods.requireCreate(call);
        ObjectNode pod = RunningPods.assigned(call);
        boolean attach = call.path().subresource().equals("attach");
        List<String> command = call.http().query().getOrDefault("command", List.of());
        if (!attach && command.isEmpty()) {
            throw ApiException.badRequest("you must specify at least one command for the container");
        }
        ExecOptions options = new ExecOptions(
                PodContainers.meant(pod, call.parameter("container")),
                attach ? List.of() : command,
                isTrue(call, "stdin"),
                isTrue(call, "stdout"),
                isTrue(call, "stderr"),
                isTrue(call, "tty"));
        if (!options.stdin() && !options.stdout() && !options.stderr()) {
            throw ApiException.badRequest("you must specify at least one of stdin, stdout, stderr");
        }
        PodStreams pods = RunningPods.streams(call);
        TenantId tenant = call.registry().tenant();
        return new ApiResponse.Upgrade(new ApiResponse.Session.Command(
                streams ->
                        attach ? pods.attach(tenant, pod, options, streams) : pods.exec(tenant, pod, options, streams),
                options.stdin(),
                options.stdout(),
                options.stderr(),
                options.tty()));
    }

    private static boolean isTrue(Call call, String name) {
        return RequestPath.isTrue(call.http().parameter(name));
    }
}
