/*
 * Tests made from machines. From a `modelSpec` (samples of events, outcomes of ports, what a person sees) `explore` makes the graph of all
 * model states; `journeys` covers every edge of it with the fewest paths; `runPath` drives any surface that is a `Driver` through a path and
 * compares it with the model after every step. `check`, `lint`, `mutants` and `runWalks` ask the rest.
 *
 *   const spec = modelSpec({ machine, input, events, outcomes, timers, sneak: 'all', key, project })
 *   const graph = explore(spec)
 *   const report = await runPaths(spec, graph, journeys(graph).paths, () => webDriver(spec))
 *
 * In a vitest file `gateMachine(spec)` and `gateSurface('web', spec, makeDriver)` of `gate.ts` do all of that in a line each.
 * A driver in process is built from `heldPorts` (the calls), `VirtualClock` (the time) and `inputOf` (the start); `bareDriver` is the example to copy.
 */
export { bareDriver } from './bare-driver.ts'
export { type Catalogue, catalogue, catalogueText } from './catalogue.ts'
export { check, commonRules, type Rule, type Violation } from './check.ts'
export { settled, VirtualClock } from './clock.ts'
export type { Driver, MakeDriver } from './driver.ts'
export { type Edge, explore, type Graph, type Node, summary } from './explore.ts'
export { type HeldPorts, heldPorts } from './held-ports.ts'
export { lint } from './lint.ts'
export { toMermaid } from './mermaid.ts'
export { callEffect, createModel, emitEffect, sendEffect } from './model.ts'
export { type Mutant, mutants } from './mutants.ts'
export { type MutationReport, runMutants } from './mutation.ts'
export { hash } from './hash.ts'
export {
  byTransition,
  describeSet,
  edgePaths,
  journeys,
  journeysBy,
  pairJourneys,
  type PathSet,
  statePaths,
} from './paths.ts'
export { type Path, parsePath, type Picture, runPath, type RunResult } from './run-path.ts'
export { chosenPaths, runPaths, type RunReport } from './run-paths.ts'
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
} from './spec.ts'
export { declaredTransitions, type TransitionId } from './transitions.ts'
export { runWalks, type WalkReport } from './walks.ts'
