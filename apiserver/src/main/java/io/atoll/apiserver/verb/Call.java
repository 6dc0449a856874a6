package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.GroupVersionKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One authorized request on a resource. One thread.
 *
 * @param user who it counts for: the impersonated one, if any
 * @param warnings sent back in headers
 */
record Call(
        ClusterParts parts,
        ApiRequest http,
        UserInfo user,
        RequestPath path,
        Endpoint endpoint,
        Output output,
        List<String> warnings) {

    static Call of(
            ClusterParts parts, ApiRequest http, UserInfo user, RequestPath path, Endpoint endpoint, Output output) {
        return new Call(parts, http, user, path, endpoint, output, new ArrayList<>(0));
    }

    Registry registry() {
        return parts.registry();
    }

    String parameter(String name) {
        String value = http.parameter(name);
        return value == null ? "" : value;
    }

    /** The write that this request asks for. */
    Write write() {
        return new Write(
                registry(),
                user,
                endpoint,
                path.subresource(),
                path.namespace(),
                dryRun(parameter("dryRun")),
                fieldManager(),
                false,
                warnings);
    }

    FieldValidation fieldValidation() {
        return FieldValidation.of(parameter("fieldValidation"));
    }

    /** As given, else what comes before the slash of the user agent. */
    private String fieldManager() {
        String manager = parameter("fieldManager");
        if (!manager.isEmpty()) {
            return manager;
        }
        String agent = http.header("user-agent", "");
        int slash = agent.indexOf('/');
        String product = slash < 0 ? agent : agent.substring(0, slash);
        return product.isEmpty() ? "unknown" : product;
    }

    static boolean dryRun(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return false;
        }
        if (!value.equals("All")) {
            throw ApiException.invalid(
                    new GroupVersionKind("meta.k8s.io", "v1", "CreateOptions"),
                    "",
                    List.of(new Cause(
                            "FieldValueNotSupported",
                            "Unsupported value: \"" + value + "\": supported values: \"All\"",
                            "dryRun")));
        }
        return true;
    }
}
