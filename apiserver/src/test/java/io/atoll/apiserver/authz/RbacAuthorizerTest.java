package io.atoll.apiserver.authz;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.Yaml;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Decisions over the bootstrap policy and a few bindings of named users. */
final class RbacAuthorizerTest {
    private static final String POLICY = """
            {kind: RoleBinding, metadata: {name: b, namespace: team}, roleRef: {kind: ClusterRole, name: edit}, subjects: [{kind: User, name: eve}]}
            ---
            {kind: ClusterRoleBinding, metadata: {name: v}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: Group, name: viewers}]}
            ---
            {kind: RoleBinding, metadata: {name: s, namespace: team}, roleRef: {kind: Role, name: one-secret}, subjects: [{kind: ServiceAccount, name: bot}]}
            ---
            {kind: Role, metadata: {name: one-secret, namespace: team}, rules: [{verbs: [get], apiGroups: [""], resources: [secrets], resourceNames: [token]}, {verbs: [create], apiGroups: [rbac.authorization.k8s.io], resources: [roles, rolebindings]}]}
            ---
            {kind: ClusterRole, metadata: {name: crd-view, labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}}, rules: [{verbs: [get], apiGroups: [example.com], resources: [things]}]}
            ---
            {kind: ClusterRoleBinding, metadata: {name: broken}, roleRef: {kind: ClusterRole, name: gone}, subjects: [{kind: User, name: lost}]}
            ---
            {kind: ClusterRoleBinding, metadata: {name: scale}, roleRef: {kind: ClusterRole, name: scaler}, subjects: [{kind: User, name: scaler}]}
            ---
            {kind: ClusterRole, metadata: {name: scaler}, rules: [{verbs: [update], apiGroups: ["*"], resources: ["*/scale"]}]}
            """;

    private static final UserInfo EVE = UserInfo.of("eve", UserInfo.SYSTEM_AUTHENTICATED);
    private static final UserInfo VIEWER = UserInfo.of("vic", "viewers", UserInfo.SYSTEM_AUTHENTICATED);
    private static final UserInfo BOT = UserInfo.of("system:serviceaccount:team:bot", UserInfo.SYSTEM_AUTHENTICATED);
    private static final UserInfo SCALER = UserInfo.of("scaler");

    private final FixedObjects objects = new FixedObjects();
    private final RbacAuthorizer authorizer = new RbacAuthorizer(objects);

    RbacAuthorizerTest() {
        BootstrapPolicy.objects().forEach(objects::put);
        Yaml.parseAll(POLICY).forEach(object -> objects.put((ObjectNode) object));
    }

    private record Case(String name, Attributes request, boolean allowed) {}

    @TestFactory
    Stream<DynamicTest> decisions() {
        UserInfo master = UserInfo.of("root", UserInfo.SYSTEM_MASTERS);
        return Stream.of(
                        new Case("masters may do anything", on(master, "delete", "", "nodes", "", "", "n1"), true),
                        new Case("edit binds in its namespace", on(EVE, "create", "", "pods", "", "team", ""), true),
                        new Case(
                                "edit reads too, by aggregation", on(EVE, "list", "", "pods", "log", "team", ""), true),
                        new Case("edit reads secrets", on(EVE, "get", "", "secrets", "", "team", "s"), true),
                        new Case("edit ends at its namespace", on(EVE, "list", "", "pods", "", "other", ""), false),
                        new Case("edit is not cluster-wide", on(EVE, "list", "", "pods", "", "", ""), false),
                        new Case(
                                "edit grants no roles",
                                on(EVE, "create", BootstrapPolicy.GROUP, "roles", "", "team", ""),
                                false),
                        new Case(
                                "view holds everywhere", on(VIEWER, "watch", "apps", "deployments", "", "x", ""), true),
                        new Case("view hides secrets", on(VIEWER, "get", "", "secrets", "", "x", "s"), false),
                        new Case("view has no exec", on(VIEWER, "create", "", "pods", "exec", "x", "p"), false),
                        new Case(
                                "a labelled role widens view",
                                on(VIEWER, "get", "example.com", "things", "", "x", "t"),
                                true),
                        new Case("a named secret", on(BOT, "get", "", "secrets", "", "team", "token"), true),
                        new Case("another secret", on(BOT, "get", "", "secrets", "", "team", "other"), false),
                        new Case("no list with a name", on(BOT, "list", "", "secrets", "", "team", ""), false),
                        new Case("any scale", on(SCALER, "update", "apps", "deployments", "scale", "x", "d"), true),
                        new Case(
                                "not what is scaled", on(SCALER, "update", "apps", "deployments", "", "x", "d"), false),
                        new Case(
                                "anybody reads the version",
                                Attributes.ofPath(UserInfo.ANONYMOUS, "get", "/version"),
                                true),
                        new Case(
                                "nobody reads metrics",
                                Attributes.ofPath(UserInfo.ANONYMOUS, "get", "/metrics"),
                                false),
                        new Case("users discover", Attributes.ofPath(EVE, "get", "/apis/apps/v1"), true),
                        new Case("anonymous do not", Attributes.ofPath(UserInfo.ANONYMOUS, "get", "/apis"), false))
                .map(row -> DynamicTest.dynamicTest(
                        row.name(),
                        () -> assertThat(authorizer.authorize(row.request()).allowed())
                                .isEqualTo(row.allowed())));
    }

    @Test
    void reasonsNameTheBindingOrWhatIsMissing() {
        assertThat(authorizer
                        .authorize(on(EVE, "get", "", "pods", "", "team", "p"))
                        .reason())
                .isEqualTo("RBAC: allowed by RoleBinding \"b/team\" of ClusterRole \"edit\" to User \"eve\"");
        assertThat(authorizer
                        .authorize(on(UserInfo.of("lost"), "get", "", "pods", "", "team", "p"))
                        .reason())
                .isEqualTo("RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not found");
    }

    @Test
    void changesCountAtOnce() {
        UserInfo late = UserInfo.of("late");
        Attributes request = on(late, "get", "", "pods", "", "team", "p");
        assertThat(authorizer.authorize(request).allowed()).isFalse();
        objects.put(Yaml.parse("{kind: RoleBinding, metadata: {name: l, namespace: team}, roleRef: {kind: ClusterRole,"
                + " name: view}, subjects: [{kind: User, name: late}]}"));
        assertThat(authorizer.authorize(request).allowed()).isTrue();
    }

    @Test
    void nobodyGrantsWhatTheyDoNotHold() {
        EscalationCheck check = new EscalationCheck(authorizer);
        check.validate(write(
                BOT,
                "Role",
                "{rules: [{verbs: [get], apiGroups: [\"\"], resources: [secrets], resourceNames: [token]}]}"));
        assertThatThrownBy(() -> check.validate(
                        write(BOT, "Role", "{rules: [{verbs: [get, list], apiGroups: [\"\"], resources: [secrets]}]}")))
                .isInstanceOf(ApiException.class)
                .hasMessage("roles.rbac.authorization.k8s.io \"x\" is forbidden: user"
                        + " \"system:serviceaccount:team:bot\" (groups=[\"system:authenticated\"]) is attempting to"
                        + " grant RBAC permissions not currently held:\n"
                        + "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"list\"]}");
        check.validate(write(BOT, "RoleBinding", "{roleRef: {kind: Role, name: one-secret}}"));
        assertThatThrownBy(() -> check.validate(
                        write(BOT, "RoleBinding", "{roleRef: {kind: ClusterRole, name: cluster-admin}}")))
                .hasMessageContaining("{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}")
                .hasMessageContaining("{NonResourceURLs:[\"*\"], Verbs:[\"*\"]}");
        assertThatThrownBy(
                        () -> check.validate(write(BOT, "RoleBinding", "{roleRef: {kind: ClusterRole, name: gone}}")))
                .hasMessage("clusterroles.rbac.authorization.k8s.io \"gone\" not found");
    }

    @Test
    void aNewClusterHasKubernetesRoles() {
        List<ObjectNode> policy = BootstrapPolicy.objects();
        assertThat(policy.stream().filter(o -> o.path("kind").asString().equals("ClusterRole")))
                .hasSizeGreaterThan(60);
        ObjectNode edit = policy.stream()
                .filter(o -> Metadata.name(o).equals("edit"))
                .findFirst()
                .orElseThrow();
        assertThat(edit.path("rules").size()).isGreaterThan(20);
        assertThat(edit.path("metadata")
                        .path("annotations")
                        .path("rbac.authorization.kubernetes.io/autoupdate")
                        .asString())
                .isEqualTo("true");
        assertThat(policy.stream().map(o -> o.path("kind").asString() + Metadata.namespace(o) + Metadata.name(o)))
                .doesNotHaveDuplicates();
    }

    private static AdmissionRequest write(UserInfo user, String kind, String yaml) {
        String plural = kind.equals("Role") ? "roles" : "rolebindings";
        ServedResource resource = new ServedResource(
                ResourceType.of(BootstrapPolicy.GROUP, "v1", plural, kind, true),
                false,
                List.of(),
                () -> io.atoll.model.schema.Schema.builder(io.atoll.model.schema.Schema.Type.OBJECT)
                        .build());
        return new AdmissionRequest(user, Operation.CREATE, resource, "", "team", "x", Yaml.parse(yaml), null, false);
    }

    private static Attributes on(
            UserInfo user,
            String verb,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name) {
        return new Attributes(user, verb, group, "v1", resource, subresource, namespace, name, "");
    }
}
