package io.atoll.apiserver.registry;

import io.atoll.apiserver.ObjectReader;
import io.atoll.base.TenantId;
import java.time.InstantSource;

/** What the exchangeable parts of a cluster's API see of that cluster; nothing in it reaches another one. Immutable. */
public record ClusterContext(TenantId tenant, Resources resources, ObjectReader objects, InstantSource clock) {}
