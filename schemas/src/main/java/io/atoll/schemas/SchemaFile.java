package io.atoll.schemas;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The compact file of all definitions: a table of strings, an index of definitions, their bodies. Descriptions, most
 * of the text, are in a second file, inflated when one is asked for and dropped under memory pressure. Any thread.
 */
public final class SchemaFile {
    /** Written first. */
    private static final String DEFINITIONS = "definitions.bin";

    /** Written last. */
    public static final String DESCRIPTIONS = "descriptions.bin";

    private static final List<String> PRESENCES = List.of("OMIT_ZERO", "OPTIONAL", "ALWAYS");
    private static final List<String> SCALARS = List.of("STRING", "BYTES", "BOOL", "INT32", "INT64", "DOUBLE");

    private final byte[] bytes;
    private final int[] stringOffsets;
    private final @Nullable String[] strings;
    private final Map<String, Integer> offsets = new LinkedHashMap<>();
    private final Map<String, String> kinds = new LinkedHashMap<>();
    private volatile @Nullable SoftReference<List<String>> descriptions;

    private SchemaFile(byte[] bytes) {
        this.bytes = bytes;
        Input in = new Input(0);
        stringOffsets = new int[in.number()];
        strings = new @Nullable String[stringOffsets.length];
        for (int i = 0; i < stringOffsets.length; i++) {
            stringOffsets[i] = in.position;
            in.skipString();
        }
        int count = in.number();
        for (int i = 0; i < count; i++) {
            String name = in.string();
            for (String kind : in.strings()) {
                kinds.put(kind, name);
            }
            offsets.put(name, in.number());
        }
        int bodies = in.position;
        offsets.replaceAll((name, offset) -> bodies + offset);
    }

    /** Opens the file on the class path. */
    public static SchemaFile open() {
        return new SchemaFile(resource(DEFINITIONS));
    }

    /** Names of all definitions, sorted. */
    public List<String> names() {
        return List.copyOf(offsets.keySet());
    }

    /** Names of definitions by {@code group/version/Kind}. */
    public Map<String, String> kinds() {
        return Map.copyOf(kinds);
    }

    /** Decodes a definition anew; null when there is none of that name. */
    public @Nullable Definition read(String name) {
        Integer offset = offsets.get(name);
        if (offset == null) {
            return null;
        }
        Input in = new Input(offset);
        String encoding = in.string();
        boolean atomicMap = in.number() == 1;
        List<String> ofKinds = in.strings();
        int description = in.number();
        Map<Integer, String> inlined = new LinkedHashMap<>();
        for (int left = in.number(); left > 0; left--) {
            inlined.put(in.number(), in.string());
        }
        List<Field> fields = new ArrayList<>();
        for (int left = in.number(); left > 0; left--) {
            fields.add(in.field());
        }
        return new Definition(name, encoding, atomicMap, ofKinds, fields, inlined, description);
    }

    /** A description by the index that a definition or field names. */
    public String description(int index) {
        SoftReference<List<String>> held = descriptions;
        List<String> texts = held == null ? null : held.get();
        if (texts == null) {
            texts = readDescriptions();
            descriptions = new SoftReference<>(texts);
        }
        return texts.get(index);
    }

    /** Writes both files into a folder of the class path; definitions must be sorted by name. */
    public static void write(
            List<Definition> definitions, List<String> descriptions, Function<String, OutputStream> open) {
        try (OutputStream out = open.apply(DEFINITIONS)) {
            new Output().write(definitions, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(open.apply(DESCRIPTIONS)))) {
            out.writeInt(descriptions.size());
            for (String text : descriptions) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                out.writeInt(utf8.length);
                out.write(utf8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = SchemaFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the build left out " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> readDescriptions() {
        try (DataInputStream in =
                new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(resource(DESCRIPTIONS))))) {
            List<String> texts = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the packed form from a position on. */
    private final class Input {
        private int position;

        Input(int position) {
            this.position = position;
        }

        int number() {
            int value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = bytes[position++];
                value |= (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        void skipString() {
            int length = number();
            position += length;
        }

        String string() {
            int index = number();
            String known = strings[index];
            if (known == null) {
                Input at = new Input(stringOffsets[index]);
                int length = at.number();
                known = new String(bytes, at.position, length, StandardCharsets.UTF_8);
                strings[index] = known;
            }
            return known;
        }

        List<String> strings() {
            int count = number();
            if (count == 0) {
                return List.of();
            }
            List<String> values = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                values.add(string());
            }
            return values;
        }

        Field field() {
            String name = string();
            int number = number();
            Shape shape = shape();
            int flags = number();
            boolean more = (flags & 16) != 0;
            return new Field(
                    name,
                    number,
                    shape,
                    (flags & 1) != 0,
                    PRESENCES.get((flags >> 1) & 3),
                    more ? string() : "",
                    more ? strings() : List.of(),
                    (flags & 8) != 0,
                    more ? strings() : List.of(),
                    more ? string() : "",
                    more ? string() : "",
                    more ? strings() : List.of(),
                    number());
        }

        Shape shape() {
            int code = number();
            return switch (code) {
                case 0 -> new Shape.ListOf(shape());
                case 1 -> new Shape.MapOf(shape());
                case 2 -> new Shape.Reference(string());
                case 3 -> new Shape.StringList();
                default -> new Shape.Scalar(SCALARS.get(code - 4));
            };
        }
    }

    /** Packs definitions; the counterpart of {@link Input}. */
    private static final class Output {
        private final Map<String, Integer> strings = new LinkedHashMap<>();

        void write(List<Definition> definitions, OutputStream out) throws IOException {
            ByteArrayOutputStream index = new ByteArrayOutputStream();
            ByteArrayOutputStream bodies = new ByteArrayOutputStream();
            number(index, definitions.size());
            for (Definition definition : definitions) {
                string(index, definition.name());
                strings(index, definition.kinds());
                number(index, bodies.size());
                body(bodies, definition);
            }
            ByteArrayOutputStream table = new ByteArrayOutputStream();
            number(table, strings.size());
            for (String text : strings.keySet()) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                number(table, utf8.length);
                table.write(utf8);
            }
            table.writeTo(out);
            index.writeTo(out);
            bodies.writeTo(out);
        }

        private void body(ByteArrayOutputStream out, Definition definition) {
            string(out, definition.encoding());
            number(out, definition.atomicMap() ? 1 : 0);
            strings(out, definition.kinds());
            number(out, definition.description());
            number(out, definition.inlined().size());
            definition.inlined().forEach((number, name) -> {
                number(out, number);
                string(out, name);
            });
            number(out, definition.fields().size());
            for (Field field : definition.fields()) {
                field(out, field);
            }
        }

        private void field(ByteArrayOutputStream out, Field field) {
            string(out, field.name());
            number(out, field.number());
            shape(out, field.shape());
            boolean more = !(field.listType().isEmpty()
                    && field.patchStrategies().isEmpty()
                    && field.defaultJson().isEmpty()
                    && field.enumValues().isEmpty());
            number(
                    out,
                    (field.required() ? 1 : 0)
                            | PRESENCES.indexOf(field.presence()) << 1
                            | (field.atomicMap() ? 8 : 0)
                            | (more ? 16 : 0));
            if (more) {
                string(out, field.listType());
                strings(out, field.listMapKeys());
                strings(out, field.patchStrategies());
                string(out, field.patchMergeKey());
                string(out, field.defaultJson());
                strings(out, field.enumValues());
            }
            number(out, field.description());
        }

        private void shape(ByteArrayOutputStream out, Shape shape) {
            switch (shape) {
                case Shape.ListOf(Shape items) -> {
                    number(out, 0);
                    shape(out, items);
                }
                case Shape.MapOf(Shape values) -> {
                    number(out, 1);
                    shape(out, values);
                }
                case Shape.Reference(String name) -> {
                    number(out, 2);
                    string(out, name);
                }
                case Shape.StringList() -> number(out, 3);
                case Shape.Scalar(String kind) -> number(out, 4 + SCALARS.indexOf(kind));
            }
        }

        private void string(ByteArrayOutputStream out, String text) {
            Integer index = strings.get(text);
            if (index == null) {
                index = strings.size();
                strings.put(text, index);
            }
            number(out, index);
        }

        private void strings(ByteArrayOutputStream out, List<String> values) {
            number(out, values.size());
            values.forEach(value -> string(out, value));
        }

        private static void number(ByteArrayOutputStream out, int value) {
            int left = value;
            while (left > 0x7f) {
                out.write((left & 0x7f) | 0x80);
                left >>>= 7;
            }
            out.write(left);
        }
    }
}
