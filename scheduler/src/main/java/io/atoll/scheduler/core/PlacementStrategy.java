package io.atoll.scheduler.core;

/** How pods are laid out over nodes that are otherwise equally good. */
public enum PlacementStrategy {
    /** The fullest node first, so that whole nodes stay free. */
    BINPACK,
    /** The emptiest node first. */
    SPREAD
}
