package io.atoll.apiserver.verb;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The form in which a client wants an answer. Immutable. */
record Output(Format format, View view) {
    static final Output JSON = new Output(Format.JSON, View.OBJECT);

    /** How objects are written. */
    enum Format {
        JSON("application/json"),
        YAML("application/yaml"),
        PROTOBUF("application/vnd.kubernetes.protobuf");

        private final String contentType;

        Format(String contentType) {
            this.contentType = contentType;
        }

        String contentType() {
            return contentType;
        }
    }

    /** What is shown of objects. */
    enum View {
        OBJECT,
        TABLE,
        PARTIAL
    }

    private record Accepted(String type, String as, double quality) {}

    /**
     * Chooses by an {@code Accept} header.
     *
     * @param protobuf whether the resource can be written in protobuf
     * @param tables whether Tables can be made
     */
    static Output negotiate(String accept, boolean protobuf, boolean tables) {
        if (accept.isBlank()) {
            return JSON;
        }
        for (Accepted one : accepted(accept)) {
            View view = switch (one.as) {
                case "" -> View.OBJECT;
                case "Table" -> View.TABLE;
                case "PartialObjectMetadata", "PartialObjectMetadataList" -> View.PARTIAL;
                default -> null;
            };
            if (view == null || (view != View.OBJECT && !tables)) {
                continue;
            }
            switch (one.type) {
                case "application/json", "*/*", "application/*" -> {
                    return new Output(Format.JSON, view);
                }
                case "application/yaml" -> {
                    return new Output(Format.YAML, view);
                }
                case "application/vnd.kubernetes.protobuf" -> {
                    if (protobuf && view == View.OBJECT) {
                        return new Output(Format.PROTOBUF, view);
                    }
                }
                default -> {}
            }
        }
        throw new ApiException(
                StatusReason.NotAcceptable,
                "only the following media types are accepted: application/json, application/yaml"
                        + (protobuf ? ", application/vnd.kubernetes.protobuf" : ""));
    }

    private static List<Accepted> accepted(String accept) {
        List<Accepted> all = new ArrayList<>();
        for (String clause : accept.split(",")) {
            String[] parts = clause.split(";");
            String as = "";
            double quality = 1;
            for (int i = 1; i < parts.length; i++) {
                String part = parts[i].strip();
                if (part.startsWith("as=")) {
                    as = part.substring(3);
                } else if (part.startsWith("q=")) {
                    quality = number(part.substring(2));
                }
            }
            all.add(new Accepted(parts[0].strip().toLowerCase(Locale.ROOT), as, quality));
        }
        all.sort(Comparator.comparingDouble(Accepted::quality).reversed());
        return all;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
