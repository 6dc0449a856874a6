package io.atoll.schemas.compile;

import com.google.gson.annotations.SerializedName;
import io.swagger.annotations.ApiModel;
import io.swagger.annotations.ApiModelProperty;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Descriptions, required-ness and JSON names, read from the Java client's generated models by reflection. */
final class JavaModels {
    private static final String PACKAGE = "io.kubernetes.client.openapi.models.";

    /** What a model says of one field. */
    record Property(String description, boolean required) {}

    /** One model class: its own description, and its properties by JSON name. */
    record Model(String description, Map<String, Property> properties) {}

    private JavaModels() {}

    /** The model of a definition, if the client has one. */
    static Optional<Model> find(String definition) {
        String[] parts = definition.split("\\.");
        String kind = parts[parts.length - 1];
        String version = parts[parts.length - 2];
        String group = parts[parts.length - 3];
        String versioned = capital(version) + kind;
        return load(capital(group) + versioned).or(() -> load(versioned)).map(JavaModels::read);
    }

    private static Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(PACKAGE + name));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private static Model read(Class<?> type) {
        Map<String, Property> properties = new TreeMap<>();
        for (java.lang.reflect.Field field : type.getDeclaredFields()) {
            SerializedName name = field.getAnnotation(SerializedName.class);
            if (name != null) {
                properties.put(name.value(), property(type, field.getName()));
            }
        }
        ApiModel model = type.getAnnotation(ApiModel.class);
        return new Model(model == null ? "" : model.description(), properties);
    }

    private static Property property(Class<?> type, String field) {
        String getter = "get" + field.replace("_", "").replace("$", "");
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method ->
                        method.getName().replace("_", "").replace("$", "").equalsIgnoreCase(getter))
                .map(JavaModels::annotation)
                .flatMap(Optional::stream)
                .findFirst()
                .map(text -> new Property(text.value(), text.required()))
                .orElseThrow(() -> new IllegalStateException("no getter for " + type.getName() + "." + field));
    }

    private static Optional<ApiModelProperty> annotation(Method method) {
        return Optional.ofNullable(method.getAnnotation(ApiModelProperty.class));
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
