package io.atoll.scheduler.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Queues for tests, in whole GPUs; CPU and memory are unlimited unless a row says otherwise. */
final class QueueRows {
    private final List<QueueSpec> specs = new ArrayList<>();

    /** A queue that is older than those added after it. */
    QueueRows add(String name, UnaryOperator<QueueSpec.Builder> said) {
        QueueSpec.Builder builder =
                QueueSpec.named(name).createdMillis(specs.size()).quota(gpus(0));
        specs.add(said.apply(builder).build());
        return this;
    }

    QueueTree tree() {
        return QueueTree.of(specs);
    }

    static Queue queue(QueueTree tree, String name) {
        return Objects.requireNonNull(tree.find(name), name);
    }

    /** GPUs are bounded, the rest is not. */
    static ResourceVector gpus(double gpus) {
        return new ResourceVector(
                Math.round(gpus * ResourceVector.ONE_GPU), ResourceVector.UNLIMITED, ResourceVector.UNLIMITED);
    }

    /** GPUs and nothing else, as a job asks for them. */
    static ResourceVector job(double gpus) {
        return new ResourceVector(Math.round(gpus * ResourceVector.ONE_GPU), 0, 0);
    }

    static ResourceVector weight(double weight) {
        return ResourceVector.all(Math.round(weight * QueueSpec.WEIGHT_ONE));
    }

    static double gpuShare(QueueTree tree, String name) {
        return (double) queue(tree, name).fairShare().gpu / ResourceVector.ONE_GPU;
    }
}
