package io.atoll.syncer.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The Pod Security Standards: {@code privileged} allows all, {@code baseline} and {@code restricted} less. Immutable. */
final class PodSecurity {
    private static final Set<String> CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");
    private static final Set<String> SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.ip_local_reserved_ports",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.ping_group_range",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes",
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_rmem",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.tcp_wmem");
    private static final Set<String> SELINUX_TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");
    private static final Set<String> RESTRICTED_VOLUMES = Set.of(
            "name",
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "persistentVolumeClaim",
            "projected",
            "secret");
    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

    private final String standard;
    private final Predicate<String> allowedHostPath;

    PodSecurity(String standard, Predicate<String> allowedHostPath) {
        this.standard = standard;
        this.allowedHostPath = allowedHostPath;
    }

    List<String> violations(ObjectNode pod) {
        List<String> found = new ArrayList<>();
        if (standard.equals("privileged")) {
            return found;
        }
        JsonNode spec = pod.path("spec");
        for (String field : List.of("hostNetwork", "hostPID", "hostIPC")) {
            if (spec.path(field).asBoolean(false)) {
                found.add("host namespaces (" + field + "=true)");
            }
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.has("hostPath")
                    && !allowedHostPath.test(
                            volume.path("hostPath").path("path").asString(""))) {
                found.add("hostPath volumes (volume \"" + volume.path("name").asString("") + "\")");
            }
        }
        appArmor(pod, found);
        for (JsonNode sysctl : spec.path("securityContext").path("sysctls")) {
            String name = sysctl.path("name").asString("");
            if (!SYSCTLS.contains(name)) {
                found.add("forbidden sysctls (" + name + ")");
            }
        }
        context(spec.path("securityContext"), "pod", found);
        for (ObjectNode container : PodSpecs.containers(spec)) {
            baseline(container, found);
        }
        if (standard.equals("restricted")) {
            restricted(spec, found);
        }
        return found;
    }

    private static void appArmor(ObjectNode pod, List<String> found) {
        for (Map.Entry<String, JsonNode> annotation :
                pod.path("metadata").path("annotations").properties()) {
            String value = annotation.getValue().asString("");
            if (annotation.getKey().startsWith(APP_ARMOR)
                    && !value.isEmpty()
                    && !value.equals("runtime/default")
                    && !value.startsWith("localhost/")) {
                found.add("forbidden AppArmor profile (" + value + ")");
            }
        }
    }

    private static void baseline(ObjectNode container, List<String> found) {
        String name = "container \"" + container.path("name").asString("") + "\"";
        JsonNode context = container.path("securityContext");
        if (context.path("privileged").asBoolean(false)) {
            found.add("privileged (" + name + " must not set securityContext.privileged=true)");
        }
        for (JsonNode capability : context.path("capabilities").path("add")) {
            if (!CAPABILITIES.contains(capability.asString(""))) {
                found.add("non-default capabilities (" + name + " must not include \"" + capability.asString("")
                        + "\" in securityContext.capabilities.add)");
            }
        }
        for (JsonNode port : container.path("ports")) {
            if (port.path("hostPort").asInt(0) != 0) {
                found.add("hostPort (" + name + " uses hostPort "
                        + port.path("hostPort").asInt(0) + ")");
            }
        }
        String procMount = context.path("procMount").asString("Default");
        if (!procMount.equals("Default")) {
            found.add("procMount (" + name + " must not set securityContext.procMount to \"" + procMount + "\")");
        }
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            handler(container.path(probe), name, found);
        }
        handler(container.path("lifecycle").path("postStart"), name, found);
        handler(container.path("lifecycle").path("preStop"), name, found);
        context(context, name, found);
    }

    /** A probe with a host of its own sends the node's requests anywhere. */
    private static void handler(JsonNode handler, String name, List<String> found) {
        for (String kind : List.of("httpGet", "tcpSocket")) {
            if (!handler.path(kind).path("host").asString("").isEmpty()) {
                found.add("probe or lifecycle host (" + name + " must not set " + kind + ".host)");
            }
        }
    }

    private static void context(JsonNode context, String owner, List<String> found) {
        if (context.path("windowsOptions").path("hostProcess").asBoolean(false)) {
            found.add("hostProcess (" + owner + " must not set securityContext.windowsOptions.hostProcess=true)");
        }
        JsonNode selinux = context.path("seLinuxOptions");
        if (!SELINUX_TYPES.contains(selinux.path("type").asString(""))
                || !selinux.path("user").asString("").isEmpty()
                || !selinux.path("role").asString("").isEmpty()) {
            found.add("seLinuxOptions (" + owner + " set forbidden securityContext.seLinuxOptions)");
        }
        for (String profile : List.of("seccompProfile", "appArmorProfile")) {
            if (context.path(profile).path("type").asString("").equals("Unconfined")) {
                found.add(profile + " (" + owner + " must not set securityContext." + profile
                        + ".type to \"Unconfined\")");
            }
        }
    }

    private static void restricted(JsonNode spec, List<String> found) {
        for (JsonNode volume : spec.path("volumes")) {
            for (String field : volume.propertyNames()) {
                if (!RESTRICTED_VOLUMES.contains(field)) {
                    found.add("restricted volume types (volume \""
                            + volume.path("name").asString("") + "\" uses restricted volume type \"" + field + "\")");
                }
            }
        }
        JsonNode pod = spec.path("securityContext");
        for (ObjectNode container : PodSpecs.containers(spec)) {
            JsonNode own = container.path("securityContext");
            String name = "container \"" + container.path("name").asString("") + "\"";
            if (own.path("allowPrivilegeEscalation").asBoolean(true)) {
                found.add("allowPrivilegeEscalation != false (" + name
                        + " must set securityContext.allowPrivilegeEscalation=false)");
            }
            if (!own.path("runAsNonRoot").asBoolean(pod.path("runAsNonRoot").asBoolean(false))) {
                found.add("runAsNonRoot != true (" + name + " must set securityContext.runAsNonRoot=true)");
            }
            if (own.path("runAsUser").asLong(pod.path("runAsUser").asLong(-1)) == 0) {
                found.add("runAsUser=0 (" + name + " must not set runAsUser=0)");
            }
            String seccomp = own.path("seccompProfile")
                    .path("type")
                    .asString(pod.path("seccompProfile").path("type").asString(""));
            if (!seccomp.equals("RuntimeDefault") && !seccomp.equals("Localhost")) {
                found.add("seccompProfile (" + name
                        + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
            }
            capabilities(own.path("capabilities"), name, found);
        }
    }

    private static void capabilities(JsonNode capabilities, String name, List<String> found) {
        boolean dropsAll = false;
        for (JsonNode capability : capabilities.path("drop")) {
            dropsAll |= capability.asString("").equals("ALL");
        }
        boolean addsOther = false;
        for (JsonNode capability : capabilities.path("add")) {
            addsOther |= !capability.asString("").equals("NET_BIND_SERVICE");
        }
        if (!dropsAll || addsOther) {
            found.add("unrestricted capabilities (" + name + " must set securityContext.capabilities.drop=[\"ALL\"])");
        }
    }
}
