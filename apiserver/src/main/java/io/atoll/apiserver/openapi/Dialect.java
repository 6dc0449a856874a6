package io.atoll.apiserver.openapi;

/** The two versions of OpenAPI that clients ask for. */
enum Dialect {
    V2("#/definitions/"),
    V3("#/components/schemas/");

    private final String referencePrefix;

    Dialect(String referencePrefix) {
        this.referencePrefix = referencePrefix;
    }

    String reference(String definition) {
        return referencePrefix + definition;
    }
}
