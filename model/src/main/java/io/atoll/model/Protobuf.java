package io.atoll.model;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kubernetes' protobuf form of built-in objects: four bytes of magic, an {@code Unknown} that names the kind, and the
 * object's own message in it. Custom resources have no such form. Stateless; any thread.
 */
public final class Protobuf {
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int TYPE_META = 1;
    private static final int RAW = 2;
    private static final int CONTENT_ENCODING = 3;
    private static final int CONTENT_TYPE = 4;

    private Protobuf() {}

    /** Whether bytes start as an enveloped object does. */
    public static boolean isEnveloped(byte[] bytes) {
        return bytes.length >= MAGIC.length && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Whether objects of a kind have a protobuf form. */
    public static boolean supports(GroupVersionKind kind) {
        return Schemas.find(kind).isPresent();
    }

    /**
     * Encodes an object of a built-in kind.
     *
     * @throws ApiException 406 when the kind has no protobuf form
     */
    public static byte[] encode(ObjectNode object) {
        GroupVersionKind kind = GroupVersionKind.of(object);
        Schema schema = Schemas.find(kind)
                .orElseThrow(() -> new ApiException(
                        StatusReason.NotAcceptable,
                        "only the following media types are accepted: application/json, application/yaml"));
        return envelope(kind, new ProtobufWriter().message(schema, object));
    }

    /**
     * Decodes an object of a built-in kind, its {@code apiVersion} and {@code kind} first.
     *
     * @throws ApiException 400 when the bytes are malformed or the kind is not known
     */
    public static ObjectNode decode(byte[] bytes) {
        return decode(bytes, ProtobufReader.DEPTH_MAX);
    }

    static ObjectNode decode(byte[] bytes, int depthLeft) {
        if (!isEnveloped(bytes)) {
            throw ApiException.badRequest(
                    "provided data does not appear to be a protobuf message, expected prefix 6b 38 73 00");
        }
        try {
            return open(CodedInputStream.newInstance(bytes, MAGIC.length, bytes.length - MAGIC.length), depthLeft);
        } catch (IOException malformed) {
            throw ApiException.badRequest("unable to decode protobuf: " + malformed.getMessage());
        }
    }

    /** One frame of a protobuf watch stream: its length and a {@code WatchEvent} around an encoded object. */
    public static byte[] watchFrame(String type, byte[] encodedObject) {
        byte[] event = write(out -> {
            out.writeString(1, type);
            out.writeByteArray(2, write(raw -> raw.writeByteArray(1, encodedObject)));
        });
        return ByteBuffer.allocate(Integer.BYTES + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }

    private static byte[] envelope(GroupVersionKind kind, byte[] message) {
        byte[] unknown = write(out -> {
            out.writeByteArray(TYPE_META, write(meta -> {
                meta.writeString(1, kind.apiVersion());
                meta.writeString(2, kind.kind());
            }));
            out.writeByteArray(RAW, message);
            out.writeString(CONTENT_ENCODING, "");
            out.writeString(CONTENT_TYPE, "");
        });
        return ByteBuffer.allocate(MAGIC.length + unknown.length)
                .put(MAGIC)
                .put(unknown)
                .array();
    }

    private static ObjectNode open(CodedInputStream in, int depthLeft) throws IOException {
        byte[] typeMeta = {};
        byte[] raw = {};
        String contentType = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> 3) {
                case TYPE_META -> typeMeta = in.readByteArray();
                case RAW -> raw = in.readByteArray();
                case CONTENT_TYPE -> contentType = in.readString();
                default -> in.skipField(tag);
            }
        }
        if (contentType.equals("application/json")) {
            return Json.parse(raw);
        }
        GroupVersionKind kind = kind(typeMeta);
        Schema schema = Schemas.find(kind)
                .orElseThrow(() -> ApiException.badRequest("no kind \"" + kind.kind()
                        + "\" is registered for version \"" + kind.apiVersion() + "\" in scheme"));
        ObjectNode object = Json.object();
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        new ProtobufReader(depthLeft - 1).message(schema, CodedInputStream.newInstance(raw), object);
        return object;
    }

    private static GroupVersionKind kind(byte[] typeMeta) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(typeMeta);
        String apiVersion = "";
        String kind = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> 3) {
                case 1 -> apiVersion = in.readString();
                case 2 -> kind = in.readString();
                default -> in.skipField(tag);
            }
        }
        return GroupVersionKind.of(apiVersion, kind);
    }

    /** A part of a message. */
    interface Part {
        void writeTo(CodedOutputStream out) throws IOException;
    }

    static byte[] write(Part part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, 512);
        try {
            part.writeTo(out);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
