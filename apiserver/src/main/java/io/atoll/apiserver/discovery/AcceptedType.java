package io.atoll.apiserver.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One media type of an {@code Accept} header, e.g. {@code application/json;g=apidiscovery.k8s.io;v=v2}. Immutable.
 *
 * @param type in lower case, without parameters
 */
public record AcceptedType(String type, Map<String, String> parameters) {
    private static final int TYPES_MAX = 32;

    public AcceptedType {
        parameters = Map.copyOf(parameters);
    }

    /** The types of a header, those that the client likes best first; no header accepts anything. */
    public static List<AcceptedType> parse(String header) {
        if (header.isBlank()) {
            return List.of(new AcceptedType("*/*", Map.of()));
        }
        List<AcceptedType> types = new ArrayList<>();
        for (String clause : header.split(",", TYPES_MAX)) {
            String[] parts = clause.split(";", -1);
            Map<String, String> parameters = new HashMap<>();
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                if (equals > 0) {
                    parameters.put(
                            parts[i].substring(0, equals).strip(),
                            parts[i].substring(equals + 1).strip());
                }
            }
            types.add(new AcceptedType(parts[0].strip().toLowerCase(Locale.ROOT), parameters));
        }
        types.sort((left, right) -> Double.compare(right.quality(), left.quality()));
        return types;
    }

    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Whether plain JSON will do. */
    public boolean takesJson() {
        return (type.equals("application/json") && parameter("as").isEmpty())
                || type.equals("application/*")
                || type.equals("*/*");
    }

    private double quality() {
        try {
            return parameters.containsKey("q") ? Double.parseDouble(parameter("q")) : 1;
        } catch (NumberFormatException e) {
            return 1;
        }
    }
}
