package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.model.ApiException;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodContainers;
import io.atoll.model.pod.PodStreams;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The log of one container. Following it begins with waiting for the container to start. */
final class Log implements Verb {
    @Override
    public ApiResponse run(Call call) {
        ObjectNode pod = Get.find(call).tree();
        String container = PodContainers.meant(pod, call.parameter("container"));
        LogOptions options = new LogOptions(
                container,
                isTrue(call, "follow"),
                isTrue(call, "previous"),
                isTrue(call, "timestamps"),
                number(call, "tailLines"),
                number(call, "limitBytes"),
                since(call));
        boolean waits = options.follow() && !options.previous();
        if (!waits && pod.path("spec").path("nodeName").asString("").isEmpty()) {
            return new ApiResponse.Full(200, "text/plain", Map.of(), List.of("".getBytes(StandardCharsets.UTF_8)));
        }
        PodStreams streams = RunningPods.streams(call);
        return new ApiResponse.Stream("text/plain", sink -> {
            ObjectNode started = waits
                    ? ContainerStart.await(call.registry(), call.endpoint().storedAs(), pod, container, sink)
                    : pod;
            streams.logs(call.registry().tenant(), started, options, sink);
        });
    }

    private static boolean isTrue(Call call, String name) {
        return RequestPath.isTrue(call.http().parameter(name));
    }

    private static long number(Call call, String name) {
        String text = call.parameter(name);
        if (text.isEmpty()) {
            return -1;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw ApiException.badRequest(name + ": invalid number \"" + text + "\"");
        }
    }

    private static @Nullable Instant since(Call call) {
        String time = call.parameter("sinceTime");
        try {
            if (!time.isEmpty()) {
                return Instant.parse(time);
            }
        } catch (DateTimeParseException _) {
            throw ApiException.badRequest("sinceTime: invalid time \"" + time + "\"");
        }
        long seconds = number(call, "sinceSeconds");
        return seconds < 0 ? null : call.registry().timers().instant().minusSeconds(seconds);
    }
}
