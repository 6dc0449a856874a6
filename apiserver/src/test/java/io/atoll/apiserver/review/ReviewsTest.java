package io.atoll.apiserver.review;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.WholeCluster;
import io.atoll.apiserver.WholeCluster.Answer;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.atoll.apiserver.WholeCluster.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

/** Reviews and tokens on a whole cluster. */
final class ReviewsTest {
    private static final UserInfo EVE = UserInfo.of("eve", UserInfo.SYSTEM_AUTHENTICATED);
    private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1/";
    private static final String AUTHENTICATION = "/apis/authentication.k8s.io/v1/";

    private final WholeCluster cluster;

    ReviewsTest(@TempDir Path folder) {
        cluster = new WholeCluster(folder);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void accessReviewsTellWhatTheAuthorizerDecides() {
        bindEve("view");
        assertThat(review(
                                EVE,
                                "selfsubjectaccessreviews",
                                "{spec: {resourceAttributes: {verb: list, resource: pods," + " namespace: default}}}")
                        .body()
                        .path("status")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        Answer denied = review(
                ADMIN,
                "subjectaccessreviews",
                "{spec: {user: eve, resourceAttributes: {verb: delete," + " resource: pods, namespace: default}}}");
        assertThat(denied.status()).isEqualTo(201);
        assertThat(denied.body().path("status").path("allowed").asBoolean(true)).isFalse();
        assertThat(review(EVE, "subjectaccessreviews", "{spec: {user: x, nonResourceAttributes: {path: /, verb: get}}}")
                        .message())
                .isEqualTo("subjectaccessreviews.authorization.k8s.io is forbidden: User \"eve\" cannot create resource"
                        + " \"subjectaccessreviews\" in API group \"authorization.k8s.io\" at the cluster scope");
        assertThat(review(EVE, "selfsubjectaccessreviews", "{spec: {}}").status())
                .isEqualTo(422);
    }

    @Test
    void rulesReviewListsWhatIsBound() {
        bindEve("view");
        Answer rules = review(EVE, "selfsubjectrulesreviews", "{spec: {namespace: default}}");
        assertThat(rules.body().path("status").path("resourceRules").size()).isGreaterThan(8);
        assertThat(rules.body().path("status").path("nonResourceRules").size()).isGreaterThan(1);
    }

    @Test
    void callersLearnWhoTheyAre() {
        Answer self = cluster.post(EVE, AUTHENTICATION + "selfsubjectreviews", "{}");
        assertThat(self.body().path("status").path("userInfo").path("username").asString())
                .isEqualTo("eve");
    }

    @Test
    void tokensAreIssuedReviewedAndDieWithTheirAccount() {
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        cluster.post(ADMIN, accounts, "{metadata: {name: bot}}");
        Answer issued = cluster.post(ADMIN, accounts + "/bot/token", "{spec: {expirationSeconds: 900}}");
        assertThat(issued.status()).isEqualTo(201);
        String token = issued.body().path("status").path("token").asString();
        Optional<UserInfo> user = cluster.api.authenticator().authenticate(null, token);
        assertThat(user.map(UserInfo::name)).contains("system:serviceaccount:default:bot");
        assertThat(reviewed(token).path("authenticated").asBoolean()).isTrue();
        cluster.delete(ADMIN, accounts + "/bot");
        assertThat(reviewed(token).path("authenticated").asBoolean()).isFalse();
        assertThat(cluster.post(ADMIN, accounts + "/bot/token", "{spec: {}}").status())
                .isEqualTo(404);
    }

    @Test
    void shortTokensAreRefused() {
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        cluster.post(ADMIN, accounts, "{metadata: {name: bot}}");
        assertThat(cluster.post(ADMIN, accounts + "/bot/token", "{spec: {expirationSeconds: 60}}")
                        .message())
                .isEqualTo(
                        "TokenRequest.authentication.k8s.io \"bot\" is invalid: spec.expirationSeconds: Invalid value:"
                                + " 60: may not specify a duration less than 10 minutes");
    }

    private tools.jackson.databind.JsonNode reviewed(String token) {
        return cluster.post(ADMIN, AUTHENTICATION + "tokenreviews", "{spec: {token: " + token + "}}")
                .body()
                .path("status");
    }

    private Answer review(UserInfo user, String resource, String yaml) {
        return cluster.post(user, AUTHORIZATION + resource, yaml);
    }

    private void bindEve(String role) {
        cluster.post(
                ADMIN,
                "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
                "{metadata: {name: eve}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "
                        + role + "}, subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: eve}]}");
    }
}
