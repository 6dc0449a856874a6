/** The {@code atoll} command line: talks to hosts and tenants through the client alone. */
@NullMarked
package io.atoll.cli;

import org.jspecify.annotations.NullMarked;
