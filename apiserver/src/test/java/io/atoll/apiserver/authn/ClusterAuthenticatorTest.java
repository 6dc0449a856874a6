package io.atoll.apiserver.authn;

import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.pki.CertificateAuthority;
import io.atoll.apiserver.pki.KeyedCertificate;
import io.atoll.apiserver.pki.SubjectNames;
import io.atoll.model.ApiException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClusterAuthenticatorTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-12-01T10:00:00Z"));
    private final InstantSource clock = () -> now.get();
    private final CertificateAuthority authority = CertificateAuthority.create("a-ca", clock);
    private final ServiceAccountTokens tokens = new ServiceAccountTokens(
            "https://a", CertificateAuthority.newKeyPair(), List.of(), new StoredObjects(), clock);
    private final ClusterAuthenticator authenticator =
            new ClusterAuthenticator(List.of(authority.certificate()), tokens, clock);

    @Test
    void aCertificateOfThisClusterIsItsSubject() {
        KeyedCertificate client = authority.issueClient("jane, doe", List.of("team=a", "system:masters"), DAY);
        UserInfo user = authenticator.authenticate(client.certificate(), null).orElseThrow();
        assertThat(user.name()).isEqualTo("jane, doe");
        assertThat(user.groups()).containsExactly("team=a", "system:masters", "system:authenticated");
        assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
                .singleElement()
                .asString()
                .startsWith("X509SHA256=")
                .hasSize("X509SHA256=".length() + 64);
        assertThat(authenticator.authenticate(client.certificate(), null)).hasValue(user);
    }

    @Test
    void othersCertificatesAreRefused() {
        // of the same name, even
        CertificateAuthority other = CertificateAuthority.create("a-ca", clock);
        List<X509Certificate> wrong = List.of(
                other.issueClient("x", List.of("system:masters"), DAY).certificate(),
                authority.issueServer("x", SubjectNames.standard(), DAY).certificate(),
                authority.issueClient("", List.of("system:masters"), DAY).certificate());
        assertThat(wrong)
                .allSatisfy(certificate -> assertThat(authenticator.authenticate(certificate, null))
                        .isEmpty());
    }

    @Test
    void certificatesEnd() {
        KeyedCertificate client = authority.issueClient("x", List.of(), DAY);
        assertThat(authenticator.authenticate(client.certificate(), null)).isPresent();
        now.set(now.get().plus(DAY).plusSeconds(1));
        assertThat(authenticator.authenticate(client.certificate(), null)).isEmpty();
        now.set(Instant.parse("2026-12-01T09:00:00Z"));
        assertThat(authenticator.authenticate(client.certificate(), null)).isEmpty();
    }

    @Test
    void bothAuthoritiesOfARotationAreTrusted() {
        CertificateAuthority next = CertificateAuthority.create("a-ca", clock);
        ClusterAuthenticator rotating =
                new ClusterAuthenticator(List.of(next.certificate(), authority.certificate()), tokens, clock);
        for (CertificateAuthority each : List.of(authority, next)) {
            X509Certificate client = each.issueClient("x", List.of(), DAY).certificate();
            assertThat(rotating.authenticate(client, null)).isPresent();
        }
    }

    @Test
    void withoutCredentialsOneIsAnonymousAndWithWrongOnesNobody() {
        assertThat(authenticator.authenticate(null, null)).hasValue(UserInfo.ANONYMOUS);
        assertThat(authenticator.authenticate(null, "nonsense")).isEmpty();
    }

    @Test
    void impersonationIsReadAndChecked() {
        Impersonation wish = Impersonation.of(Map.of(
                        "impersonate-user", "jane",
                        "impersonate-group", "a,b\nc",
                        "impersonate-uid", "7",
                        "impersonate-extra-acme.com%2Fproject", "x\ny"))
                .orElseThrow();
        assertThat(wish.user())
                .isEqualTo(new UserInfo(
                        "jane",
                        "7",
                        List.of("a,b", "c", "system:authenticated"),
                        Map.of("acme.com/project", List.of("x", "y"))));
        assertThat(wish.checks())
                .containsExactly(
                        new Impersonation.Check("", "users", "", "", "jane"),
                        new Impersonation.Check("", "groups", "", "", "a,b"),
                        new Impersonation.Check("", "groups", "", "", "c"),
                        new Impersonation.Check("authentication.k8s.io", "userextras", "acme.com/project", "", "x"),
                        new Impersonation.Check("authentication.k8s.io", "userextras", "acme.com/project", "", "y"),
                        new Impersonation.Check("authentication.k8s.io", "uids", "", "", "7"));

        Impersonation account = Impersonation.of(Map.of("impersonate-user", "system:serviceaccount:ci:builder"))
                .orElseThrow();
        assertThat(account.checks())
                .containsExactly(new Impersonation.Check("", "serviceaccounts", "", "ci", "builder"));
        assertThat(account.user().groups())
                .containsExactly("system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated");

        Impersonation anonymous =
                Impersonation.of(Map.of("impersonate-user", "system:anonymous")).orElseThrow();
        assertThat(anonymous.user().groups()).containsExactly("system:unauthenticated");
        assertThat(Impersonation.of(Map.of("accept", "x"))).isEmpty();
        assertThatThrownBy(() -> Impersonation.of(Map.of("impersonate-group", "a")))
                .isInstanceOf(ApiException.class);
    }
}
