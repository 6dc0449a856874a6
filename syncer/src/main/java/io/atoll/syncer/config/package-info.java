/** Tenants' configuration: vcluster.yaml, {@code --set} and keys of old. */
@NullMarked
package io.atoll.syncer.config;

import org.jspecify.annotations.NullMarked;
