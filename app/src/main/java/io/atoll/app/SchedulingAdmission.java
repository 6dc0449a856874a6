package io.atoll.app;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.scheduler.admission.PodAdmission;
import io.atoll.scheduler.admission.PodAdmissionOptions;
import io.atoll.scheduler.admission.PodCompletion;
import io.atoll.scheduler.admission.PodGroupAdmission;
import io.atoll.scheduler.admission.QueueAdmission;
import io.atoll.scheduler.admission.TopologyAdmission;
import io.atoll.scheduler.crd.SchedulingTypes;
import java.security.SecureRandom;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plugs the scheduler's admission into API servers, which know nothing of it. One instance serves any number of
 * clusters.
 *
 * @param completesPods whether new pods get what they need to run: in the host, where they run. In a tenant only their
 *     users' mistakes are told
 */
record SchedulingAdmission(boolean completesPods) implements Extension {
    static final SchedulingAdmission OF_HOST = new SchedulingAdmission(true);
    static final SchedulingAdmission OF_TENANT = new SchedulingAdmission(false);

    private static final PodAdmissionOptions PODS = PodAdmissionOptions.EMBEDDED;
    private static final SecureRandom RANDOM = new SecureRandom();

    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        registrar.admission(new Checks(cluster.objects(), completesPods));
    }

    private record Checks(ObjectReader objects, boolean completesPods) implements Admission {
        @Override
        public void admit(AdmissionRequest request) {
            ObjectNode object = request.object();
            if (completesPods && object != null && request.operation() == Operation.CREATE && isPod(request)) {
                PodCompletion.complete(object, PODS, RANDOM);
            }
        }

        @Override
        public void validate(AdmissionRequest request) {
            ObjectNode object = request.object();
            ObjectNode before = request.before();
            if (object == null || !request.subresource().isEmpty()) {
                return;
            }
            if (isPod(request) && before == null) {
                PodAdmission.validateCreate(object, PODS);
            } else if (isPod(request) && before != null) {
                PodAdmission.validateUpdate(object, before, PODS);
            } else if (is(request, SchedulingTypes.QUEUES)) {
                QueueAdmission.validate(object, before, this::parentOf);
            } else if (is(request, SchedulingTypes.POD_GROUPS)) {
                PodGroupAdmission.validate(object);
            } else if (is(request, SchedulingTypes.TOPOLOGIES)) {
                TopologyAdmission.validate(object, before);
            }
        }

        private Optional<String> parentOf(String queue) {
            return objects.get(SchedulingTypes.QUEUES.groupResource(), "", queue)
                    .map(stored ->
                            Json.parse(stored).path("spec").path("parentQueue").asString(""));
        }

        private static boolean isPod(AdmissionRequest request) {
            return request.is("", "pods") && request.subresource().isEmpty();
        }

        private static boolean is(AdmissionRequest request, ResourceType type) {
            return request.is(type.group(), type.resource());
        }
    }
}
