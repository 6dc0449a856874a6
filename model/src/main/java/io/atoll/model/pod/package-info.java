/** What the API server, the agents and the scheduler agree on about pods: phases, resources, and streams into them. */
@NullMarked
package io.atoll.model.pod;

import org.jspecify.annotations.NullMarked;
