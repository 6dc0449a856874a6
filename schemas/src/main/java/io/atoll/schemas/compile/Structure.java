package io.atoll.schemas.compile;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.atoll.schemas.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Messages, fields and numbers, read from the Java client's protobuf descriptors. */
final class Structure {
    private static final List<String> FILES = List.of(
            "Meta",
            "Runtime",
            "Resource",
            "IntStr",
            "V1",
            "V1Admission",
            "V1Admissionregistration",
            "V1Apiextensions",
            "V1Apps",
            "V1Authentication",
            "V1Authorization",
            "V1Autoscaling",
            "V1Batch",
            "V1Certificates",
            "V1Coordination",
            "V1Discovery",
            "V1Events",
            "V1Flowcontrol",
            "V1Networking",
            "V1Node",
            "V1Policy",
            "V1Rbac",
            "V1Resource",
            "V1Scheduling",
            "V1Storage",
            "V2Autoscaling");

    private Structure() {}

    /** Every message by its definition's name. */
    static Map<String, Descriptor> messages() throws ReflectiveOperationException {
        Map<String, Descriptor> messages = new LinkedHashMap<>();
        for (String name : FILES) {
            Object file = Class.forName("io.kubernetes.client.proto." + name)
                    .getMethod("getDescriptor")
                    .invoke(null);
            for (Descriptor message : ((FileDescriptor) file).getMessageTypes()) {
                messages.put(definition(message), message);
            }
        }
        return messages;
    }

    static String definition(Descriptor message) {
        return message.getFullName()
                .replace("k8s.io.", "io.k8s.")
                .replace("apiextensions_apiserver", "apiextensions-apiserver");
    }

    static Shape shape(FieldDescriptor field) {
        if (field.isMapField()) {
            return new Shape.MapOf(single(field.getMessageType().findFieldByName("value")));
        }
        return field.isRepeated() ? new Shape.ListOf(single(field)) : single(field);
    }

    private static Shape single(FieldDescriptor field) {
        if (field.getType() != FieldDescriptor.Type.MESSAGE) {
            return new Shape.Scalar(field.getType().name());
        }
        Descriptor message = field.getMessageType();
        boolean stringList =
                message.getName().equals("ExtraValue") || message.getName().equals("Verbs");
        return stringList ? new Shape.StringList() : new Shape.Reference(definition(message));
    }
}
