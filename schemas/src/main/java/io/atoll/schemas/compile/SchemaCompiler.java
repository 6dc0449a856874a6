package io.atoll.schemas.compile;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.atoll.schemas.Definition;
import io.atoll.schemas.Field;
import io.atoll.schemas.SchemaFile;
import io.atoll.schemas.Shape;
import io.atoll.schemas.compile.Facts.TypeFacts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Joins the three sources into definitions and writes those that some kind reaches. Fails the build when the sources
 * disagree on the names of fields.
 */
public final class SchemaCompiler {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    /** Types with an encoding of their own; their messages' fields are not part of the schema. */
    private static final Map<String, String> ENCODINGS = Map.ofEntries(
            Map.entry("io.k8s.apimachinery.pkg.api.resource.Quantity", "QUANTITY"),
            Map.entry(META + "Time", "TIME"),
            Map.entry(META + "MicroTime", "MICRO_TIME"),
            Map.entry(META + "FieldsV1", "RAW_JSON"),
            Map.entry("io.k8s.apimachinery.pkg.runtime.RawExtension", "RAW_JSON"),
            Map.entry("io.k8s.apimachinery.pkg.util.intstr.IntOrString", "INT_OR_STRING"),
            Map.entry("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", "RAW_JSON"),
            Map.entry(
                    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool", "SCHEMA_OR_BOOL"),
            Map.entry(
                    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray",
                    "SCHEMA_OR_ARRAY"),
            Map.entry(
                    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray",
                    "SCHEMA_OR_STRING_ARRAY"));

    /** API groups by the package that holds their types, where the two differ. */
    private static final Map<String, String> GROUPS = Map.ofEntries(
            Map.entry("core", ""),
            Map.entry("meta", ""),
            Map.entry("admission", "admission.k8s.io"),
            Map.entry("admissionregistration", "admissionregistration.k8s.io"),
            Map.entry("apiextensions", "apiextensions.k8s.io"),
            Map.entry("apiregistration", "apiregistration.k8s.io"),
            Map.entry("authentication", "authentication.k8s.io"),
            Map.entry("authorization", "authorization.k8s.io"),
            Map.entry("certificates", "certificates.k8s.io"),
            Map.entry("coordination", "coordination.k8s.io"),
            Map.entry("discovery", "discovery.k8s.io"),
            Map.entry("events", "events.k8s.io"),
            Map.entry("flowcontrol", "flowcontrol.apiserver.k8s.io"),
            Map.entry("networking", "networking.k8s.io"),
            Map.entry("node", "node.k8s.io"),
            Map.entry("rbac", "rbac.authorization.k8s.io"),
            Map.entry("resource", "resource.k8s.io"),
            Map.entry("scheduling", "scheduling.k8s.io"),
            Map.entry("storage", "storage.k8s.io"));

    private final Facts facts;
    private final Map<String, Descriptor> messages;
    private final Map<String, Definition> definitions = new TreeMap<>();
    private final Map<String, Integer> descriptions = new LinkedHashMap<>(Map.of("", 0));

    private SchemaCompiler(Facts facts, Map<String, Descriptor> messages) {
        this.facts = facts;
        this.messages = messages;
    }

    /** Arguments: the folder of the facts, the folder of classes to write into, other files that the output depends on. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path folder = Path.of(arguments[0]);
        Path target = Path.of(arguments[1], "io", "atoll", "schemas");
        List<Path> tables =
                List.of(folder.resolve("facts.tsv"), folder.resolve("by-hand.tsv"), folder.resolve("defaults.tsv"));
        List<Path> sources = new ArrayList<>(tables);
        Arrays.stream(arguments).skip(2).map(Path::of).forEach(sources::add);
        if (isUpToDate(target, sources)) {
            return;
        }
        SchemaCompiler compiler = new SchemaCompiler(Facts.read(tables), Structure.messages());
        compiler.compile();
        SchemaFile.write(
                List.copyOf(compiler.definitions.values()),
                List.copyOf(compiler.descriptions.keySet()),
                name -> open(target.resolve(name)));
    }

    private static OutputStream open(Path file) {
        try {
            return Files.newOutputStream(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether what was written last is younger than all that it is made from, this compiler included. */
    private static boolean isUpToDate(Path target, List<Path> sources) throws IOException {
        Path output = target.resolve(SchemaFile.DESCRIPTIONS);
        if (!Files.exists(output)) {
            return false;
        }
        FileTime written = Files.getLastModifiedTime(output);
        try (Stream<Path> classes = Files.walk(target)) {
            List<Path> inputs = Stream.concat(
                            sources.stream(),
                            classes.filter(file -> file.toString().endsWith(".class")))
                    .toList();
            for (Path input : inputs) {
                if (Files.getLastModifiedTime(input).compareTo(written) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private void compile() {
        Set<String> kinds = new LinkedHashSet<>(facts.declared());
        messages.keySet().stream().filter(name -> facts.of(name).has("kind")).forEach(kinds::add);
        for (String kind : kinds) {
            add(kind);
        }
        List<String> mistakes = new ArrayList<>();
        for (Definition definition : definitions.values()) {
            check(definition, mistakes);
        }
        if (!mistakes.isEmpty()) {
            throw new IllegalStateException("the sources disagree:\n" + String.join("\n", mistakes));
        }
    }

    private void add(String name) {
        if (definitions.containsKey(name)) {
            return;
        }
        Optional<JavaModels.Model> model = JavaModels.find(name);
        TypeFacts of = facts.of(name);
        String encoding = ENCODINGS.getOrDefault(name, "MESSAGE");
        Map<Integer, String> inlined = new TreeMap<>();
        for (String inline : of.values("inline")) {
            int colon = inline.indexOf(':');
            inlined.put(Integer.valueOf(inline.substring(0, colon)), inline.substring(colon + 1));
        }
        List<Field> fields = new ArrayList<>();
        if (of.has("kind")) {
            fields.add(envelope("apiVersion", model));
            fields.add(envelope("kind", model));
        }
        if (of.has("declared")) {
            of.fields.forEach((field, words) -> fields.add(field(
                    field,
                    Integer.parseInt(words.getOrDefault("number", "0")),
                    declaredShape(name, words),
                    words,
                    model)));
        } else if (encoding.equals("MESSAGE")) {
            for (FieldDescriptor field : message(name).getFields()) {
                if (!inlined.containsKey(field.getNumber())) {
                    String json = jsonName(of, field.getName());
                    Map<String, String> words = of.fields.getOrDefault(json, Map.of());
                    fields.add(field(json, field.getNumber(), Structure.shape(field), words, model));
                }
            }
        }
        fields.sort(Comparator.comparing(Field::name));
        Definition definition = new Definition(
                name,
                encoding,
                of.values("map").contains("atomic"),
                of.has("kind") ? List.of(kind(name)) : List.of(),
                fields,
                inlined,
                description(model.map(JavaModels.Model::description).orElse("")));
        definitions.put(name, definition);
        fields.forEach(field -> reach(field.shape()));
        inlined.values().forEach(this::add);
        if (encoding.startsWith("SCHEMA_OR")) {
            add(name.substring(0, name.indexOf("PropsOr")) + "Props");
        }
    }

    private void reach(Shape shape) {
        switch (shape) {
            case Shape.Reference(String name) -> add(name);
            case Shape.ListOf(Shape items) -> reach(items);
            case Shape.MapOf(Shape values) -> reach(values);
            case Shape.StringList() -> {}
            case Shape.Scalar(String _) -> {}
        }
    }

    private Descriptor message(String name) {
        Descriptor message = messages.get(name);
        if (message == null) {
            throw new IllegalStateException("no message " + name);
        }
        return message;
    }

    private static String jsonName(TypeFacts facts, String protoName) {
        for (Map.Entry<String, Map<String, String>> field : facts.fields.entrySet()) {
            if (protoName.equals(field.getValue().get("proto"))) {
                return field.getKey();
            }
        }
        return protoName;
    }

    private Field envelope(String name, Optional<JavaModels.Model> model) {
        return field(name, 0, new Shape.Scalar("STRING"), Map.of(), model);
    }

    private Field field(
            String name, int number, Shape shape, Map<String, String> words, Optional<JavaModels.Model> model) {
        Optional<JavaModels.Property> property =
                model.flatMap(found -> Optional.ofNullable(found.properties().get(name)));
        String[] list = words.getOrDefault("list", "").split(":", -1);
        String[] patch = words.getOrDefault("patch", "").split(":", -1);
        boolean isMessage = shape instanceof Shape.Reference;
        String presence = words.containsKey("always")
                ? "ALWAYS"
                : words.containsKey("optional") || isMessage ? "OPTIONAL" : "OMIT_ZERO";
        return new Field(
                name,
                number,
                shape,
                property.map(JavaModels.Property::required).orElse(false),
                presence,
                list[0],
                list.length > 1 ? List.of(list[1].split(",", -1)) : List.of(),
                "atomic".equals(words.get("map")),
                patch[0].isEmpty() ? List.of() : List.of(patch[0].split(",", -1)),
                patch.length > 1 ? patch[1] : "",
                words.getOrDefault("default", ""),
                words.containsKey("enum")
                        ? List.of(words.getOrDefault("enum", "").split(",", -1))
                        : List.of(),
                description(property.map(JavaModels.Property::description).orElse("")));
    }

    /** Shapes as a table writes them: {@code INT32}, {@code []Name}, {@code Name} of the same package, or a full name. */
    private static Shape declaredShape(String definition, Map<String, String> words) {
        return shape(definition, words.getOrDefault("type", "STRING"));
    }

    private static Shape shape(String definition, String text) {
        if (text.startsWith("[]")) {
            return new Shape.ListOf(shape(definition, text.substring(2)));
        }
        if (text.equals(text.toUpperCase(Locale.ROOT))) {
            return new Shape.Scalar(text);
        }
        return new Shape.Reference(
                text.contains(".") ? text : definition.substring(0, definition.lastIndexOf('.') + 1) + text);
    }

    private int description(String text) {
        return descriptions.computeIfAbsent(text, missing -> descriptions.size());
    }

    private static String kind(String definition) {
        String[] parts = definition.split("\\.");
        String group = parts[parts.length - 3];
        return GROUPS.getOrDefault(group, group) + "/" + parts[parts.length - 2] + "/" + parts[parts.length - 1];
    }

    private void check(Definition definition, List<String> mistakes) {
        Optional<JavaModels.Model> model = JavaModels.find(definition.name());
        if (model.isEmpty() || !definition.encoding().equals("MESSAGE")) {
            return;
        }
        Set<String> ours = new TreeSet<>();
        names(definition, ours);
        Set<String> theirs = new TreeSet<>(model.get().properties().keySet());
        if (!ours.equals(theirs)) {
            Set<String> extra = new TreeSet<>(ours);
            extra.removeAll(theirs);
            theirs.removeAll(ours);
            mistakes.add(definition.name() + ": only in the descriptors " + extra + ", only in the models " + theirs);
        }
    }

    private void names(Definition definition, Set<String> names) {
        Map<String, Map<String, String>> known = facts.of(definition.name()).fields;
        for (Field field : definition.fields()) {
            if (!known.getOrDefault(field.name(), Map.of()).containsKey("undocumented")) {
                names.add(field.name());
            }
        }
        definition.inlined().values().forEach(part -> names(known(part), names));
    }

    private Definition known(String name) {
        Definition definition = definitions.get(name);
        if (definition == null) {
            throw new IllegalStateException("no definition " + name);
        }
        return definition;
    }
}
