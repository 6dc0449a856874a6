package io.atoll.apiserver.admission;

/**
 * A rule over writes. All plugins first {@link #admit}, in order, and may change the object; after the object has been
 * validated all of them {@link #validate}. A refusal is an ApiException. Any thread.
 */
public interface Admission {
    default void admit(AdmissionRequest request) {}

    default void validate(AdmissionRequest request) {}
}
