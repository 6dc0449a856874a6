package io.atoll.scheduler.scenario;

import java.util.List;

/** Runs the actions over a scenario, round after round. */
interface ScenarioRunner {
    /**
     * Answers what holds after the rounds until the match, followed by what holds after each settling round. Before a
     * further round bound pods run, evicted pods are back as pending ones, and what waited for room is pending.
     *
     * @param settlingRounds how many rounds of the settling actions follow
     */
    List<Outcome> run(Scenario scenario, int settlingRounds);
}
