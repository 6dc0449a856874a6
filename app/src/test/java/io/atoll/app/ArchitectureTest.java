package io.atoll.app;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** The picture in ARCHITECTURE.md, checked: edges between modules point one way. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.atoll");

    @Test
    void theScanSawTheSystem() {
        assertThat(CLASSES.size()).isGreaterThan(500);
    }

    @Test
    void modulesDependOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("base")
                .definedBy("io.atoll.base..")
                .layer("model")
                .definedBy("io.atoll.model..", "io.atoll.schemas..")
                .layer("store")
                .definedBy("io.atoll.store..")
                .layer("apiserver")
                .definedBy("io.atoll.apiserver..")
                .layer("client")
                .definedBy("io.atoll.client..")
                .layer("inprocess")
                .definedBy("io.atoll.inprocess..")
                .layer("reconcile")
                .definedBy("io.atoll.reconcile..")
                .layer("controllers")
                .definedBy("io.atoll.controllers..")
                .layer("syncer")
                .definedBy("io.atoll.syncer..")
                .layer("scheduler")
                .definedBy("io.atoll.scheduler..")
                .layer("node")
                .definedBy("io.atoll.node..")
                .layer("tenancy")
                .definedBy("io.atoll.tenancy..")
                .layer("cli")
                .definedBy("io.atoll.cli..")
                .layer("bench")
                .definedBy("io.atoll.bench..")
                .layer("app")
                .definedBy("io.atoll.app..")
                .whereLayer("base")
                .mayNotAccessAnyLayer()
                .whereLayer("model")
                .mayOnlyAccessLayers("base")
                .whereLayer("store")
                .mayOnlyAccessLayers("base")
                .whereLayer("apiserver")
                .mayOnlyAccessLayers("base", "model", "store")
                .whereLayer("client")
                .mayOnlyAccessLayers("base", "model")
                .whereLayer("inprocess")
                .mayOnlyAccessLayers("base", "model", "apiserver", "client")
                .whereLayer("reconcile")
                .mayOnlyAccessLayers("base", "model", "client")
                .whereLayer("controllers")
                .mayOnlyAccessLayers("base", "model", "client", "reconcile")
                .whereLayer("syncer")
                .mayOnlyAccessLayers("base", "model", "client", "reconcile")
                .whereLayer("scheduler")
                .mayOnlyAccessLayers("base", "model", "client", "reconcile")
                .whereLayer("node")
                .mayOnlyAccessLayers("base", "model", "client", "reconcile")
                .whereLayer("tenancy")
                .mayOnlyAccessLayers(
                        "base",
                        "model",
                        "store",
                        "apiserver",
                        "client",
                        "inprocess",
                        "reconcile",
                        "controllers",
                        "syncer")
                .whereLayer("cli")
                .mayOnlyAccessLayers("base", "model", "client")
                .whereLayer("bench")
                .mayOnlyAccessLayers("base", "model", "store", "client", "cli", "scheduler")
                .whereLayer("app")
                .mayNotBeAccessedByAnyLayer()
                .check(CLASSES);
    }

    @Test
    void theSchedulersCoreDoesNoInputOrOutput() {
        noClasses()
                .that()
                .resideInAPackage("io.atoll.scheduler.core..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.atoll.client..")
                        .or(resideInAPackage("io.atoll.reconcile.."))
                        .or(resideInAPackage("java.io.."))
                        .or(resideInAPackage("java.net.."))
                        .or(resideInAPackage("java.nio.file..")))
                .check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes()
                .that()
                .haveSimpleName("package-info")
                .should()
                .beAnnotatedWith(NullMarked.class)
                .check(CLASSES);
        classes().should(liveInAPackageWithInfo()).check(CLASSES);
    }

    @Test
    void nothingSleepsOrPrints() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.atoll.bench..", "io.atoll.testkit..")
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", java.time.Duration.class)
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("io.atoll.bench..", "io.atoll.app..", "io.atoll.schemas..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCyclesBetweenModules() {
        slices().matching("io.atoll.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    private static ArchCondition<JavaClass> liveInAPackageWithInfo() {
        return new ArchCondition<>("live in a package with a package-info") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().tryGetPackageInfo().isPresent()) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " is in a package without package-info"));
                }
            }
        };
    }
}
