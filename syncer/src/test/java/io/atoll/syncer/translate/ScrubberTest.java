package io.atoll.syncer.translate;

import io.atoll.base.TenantId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class ScrubberTest {
    private final Scrubber scrubber = new Scrubber(new HostNames(new TenantId("vcluster-red", "red")));

    @Test
    void givesBackTheTenantsNames() {
        assertThat(scrubber.scrub("pod \"a.b-x-default-x-red\" in vcluster-red, a.b-x-default-x-red.tokens", "default"))
                .isEqualTo("pod \"a.b\" in default, a.b");
    }

    /** A termination message is the tenant's own text, and its length cubed would stop the whole process. */
    @Test
    void costsLittleForAnyText() {
        for (String part : new String[] {"-x", "a-x-", "a.", "x-x-red-", "a"}) {
            String text = part.repeat(32_768 / part.length());
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> scrubber.scrub(text, "default"));
        }
    }
}
