/**
 * What is let in: pods that ask for parts of GPUs, queues, pod groups and topologies. Pure: objects in, a refusal as an
 * ApiException out. An API server calls it where KAI would have been called as a webhook.
 */
@NullMarked
package io.atoll.scheduler.admission;

import org.jspecify.annotations.NullMarked;
