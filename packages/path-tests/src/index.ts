/*
 * Tests generated from machines. From a `modelSpec` (samples of events, outcomes of calls, what a
 * user sees) `explore` builds the graph of all model states; `journeys` covers every edge with the
 * fewest paths; `runPath` drives a `Driver` through a path and compares it with the model after
 * every step. `check` and `lint` find faults of the machine, `mutants` measures the paths,
 * `runWalks` adds random walks.
 *
 *   const spec = modelSpec({ machine, input, events, outcomes, timers, sneak: 'all', key, project })
 *   const graph = explore(spec)
 *   const report = await runPaths(spec, graph, journeys(graph).paths, () => webDriver(spec))
 *
 * In a vitest file `gateMachine(spec)` and `gateSurface('web', spec, makeDriver)` of `gate.ts` do
 * all of that in one line each. A driver in process is built from `heldPorts` (the calls),
 * `VirtualClock` (the time) and `inputOf` (the start); `bareDriver` is an example.
 */
export { bareDriver } from './run/bare-driver.ts'
export { type Catalogue, catalogue, catalogueText } from './cover/catalogue.ts'
export { check, commonRules, type Rule, type Violation } from './explore/check.ts'
export { settled, VirtualClock } from './run/clock.ts'
export type { Driver, MakeDriver } from './run/driver.ts'
export { type Edge, type Graph, type Node } from './explore/explored-graph.ts'
export { explore, summary } from './explore/explore.ts'
export { type HeldPorts, heldPorts } from './run/held-ports.ts'
export { lint } from './run/lint.ts'
export { graphOf, type MachineGraph } from './graph/graph.ts'
export { toMermaid } from './graph/mermaid.ts'
export { shortEvent } from './graph/short-event.ts'
export { callEffect, emitEffect, sendEffect } from './explore/world.ts'
export { createModel } from './explore/model.ts'
export { type Mutant, mutants } from './mutate/mutants.ts'
export { type MutationReport, runMutants } from './mutate/mutation.ts'
export { hash } from './explore/hash.ts'
export {
  byTransition,
  describeSet,
  edgePaths,
  journeys,
  journeysBy,
  pairJourneys,
  type PathSet,
  statePaths,
} from './cover/paths.ts'
export { type Path, parsePath, type Picture, runPath, type RunResult } from './run/run-path.ts'
export { chosenPaths, runPaths, type RunReport } from './run/run-paths.ts'
export {
  bare,
  inputOf,
  type Left,
  type ModelSpec,
  modelSpec,
  type NamedOutcome,
  type Now,
  type Outcome,
  type Spec,
  type Step,
  stepId,
  type TimerSpec,
  type UserStep,
} from './explore/spec.ts'
export { declaredTransitions, type TransitionId } from './explore/transitions.ts'
export { runWalks, type WalkReport } from './cover/walks.ts'
