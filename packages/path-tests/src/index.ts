/*
 * Tests generated from XState machines; README.md is the manual. `testMachine` for vitest is in
 * the entry `./vitest`, random walks (they need fast-check) in the entry `./walks`.
 */
export { type Catalogue, catalogue, catalogueText } from './cover/catalogue.ts'
export {
  coverClasses,
  coverEdges,
  coverPairs,
  type CoverPathOptions,
  coverTransitions,
  describeSet,
  type PathSet,
  statePaths,
} from './cover/paths.ts'
export { check, commonRules, type Rule, type Violation } from './explore/check.ts'
export { explore, type ExploreOptions, summary } from './explore/explore.ts'
export { describeFinding, type Finding } from './explore/findings.ts'
export { type Edge, type Graph, type Node, traceTo } from './explore/graph.ts'
export { declaredTransitions, type TransitionId } from './explore/transitions.ts'
export { buildMachineGraph, type MachineGraph } from './graph/graph.ts'
export { toMermaid } from './graph/mermaid.ts'
export { shortEvent } from './graph/short-event.ts'
export {
  call,
  type Child,
  events,
  fails,
  type NamedOutcome,
  ok,
  type Outcome,
  silent,
  timer,
  type TimerChild,
} from './model/children.ts'
export {
  type ActorOf,
  type Clock,
  defineModel,
  buildStartInput,
  type Left,
  type Model,
  type ModelOptions,
  type Payload,
  withPreparation,
} from './model/define-model.ts'
export { actionEffect, callEffect, emitEffect, sendEffect } from './model/effects.ts'
export { hash } from './model/hash.ts'
export { ModelError, type ModelErrorCode } from './model/model-error.ts'
export {
  type ModelState,
  type Move,
  pendingCalls,
  type RunningChild,
  whenDue,
} from './model/model-state.ts'
export { type Step, stepId, type UserStep } from './model/step.ts'
export { createStepper, type Stepper } from './model/stepper.ts'
export { type Mutant, mutants, nearestFirst } from './mutate/mutants.ts'
export {
  mutate,
  type MutationReport,
  runMutants,
  startTrial,
  type Trial,
} from './mutate/mutation.ts'
export { type Reasons, listUnexplained } from './mutate/reasons.ts'
export { actorDriver, type ActorDriverOptions } from './run/actor-driver.ts'
export { waitForPromises, VirtualClock } from './run/clock.ts'
export type { Driver, MakeDriver } from './run/driver.ts'
export { type HeldCalls, heldCalls } from './run/held-calls.ts'
export { lint } from './run/lint.ts'
export type { Path, Picture } from './run/path.ts'
export { parsePath, runPath, type RunResult } from './run/run-path.ts'
export { chosenPaths, runPaths, type RunReport } from './run/run-paths.ts'
