import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  EventFromLogic,
  EventObject,
  InputFrom,
  PromiseActorLogic,
  SnapshotFrom,
} from 'xstate'
import {
  actorDriver as driverOf,
  type ActorDriverOptions,
  type ActorOf,
  type Clock,
  createStepper as stepperOf,
  type Driver,
  explore as exploreModel,
  type ExploreOptions,
  type Graph,
  buildStartInput as inputOfModel,
  type Left,
  type MakeDriver,
  type Model,
  type Outcome,
  parsePath as parsePathOf,
  type Path,
  type Payload,
  runPath as runPathOf,
  runPaths as runPathsOf,
  type RunReport,
  type RunResult,
  silent,
  startTrial as startTrialOf,
  type Stepper,
  timer,
  type Trial,
} from '@jiaowu/path-tests'
import { runWalks as runWalksOf, type WalkOptions, type WalkReport } from '@jiaowu/path-tests/walks'

/*
 * How this product writes its models: every invoke has its source's name as id, so a table of
 * outcomes per source says how calls end; countdowns run for real; the surfaces report calls and
 * sent events. The functions below are those of `@jiaowu/path-tests` for such models.
 */

type Cases<T> = Readonly<Record<string, T>>
/** The samples of an event that carries nothing. */
export const bare = { default: {} } as const

/** At least one sample per event of the machine: an event added without one does not compile. */
type EventSamples<M extends AnyStateMachine> = {
  readonly [T in EventFromLogic<M>['type']]: Cases<Payload<EventFromLogic<M>, T>>
}

type PortSource<A> = A extends { src: infer Src; logic: infer Logic }
  ? Logic extends { start: unknown; root: unknown }
    ? never
    : Logic extends PromiseActorLogic<infer _O, infer _I>
      ? Src & string
      : never
  : never
type PortLogic<A, Src> = A extends { src: Src; logic: PromiseActorLogic<infer Output, infer Input> }
  ? { output: Output; input: Input }
  : never
/** One table per port of the machine; a function when the answer depends on the input (the names must not). */
export type PortOutcomes<M extends AnyStateMachine> = {
  readonly [Src in PortSource<ActorOf<M>>]:
    | Cases<Outcome<PortLogic<ActorOf<M>, Src>['output']>>
    | ((
        input: PortLogic<ActorOf<M>, Src>['input'],
      ) => Cases<Outcome<PortLogic<ActorOf<M>, Src>['output']>>)
}

interface TimerSpec {
  readonly ms: number | ((input: unknown, now: number) => number)
  left?(child: unknown): number
  readonly output?: unknown
}

interface SpecParts<Snapshot, Seen> {
  /** Children that only wait, by invoke id; a number is milliseconds. */
  readonly timers?: Readonly<Record<string, number | TimerSpec>>
  /** Sources of children that never end (callbacks); the events they send belong in `events`. */
  readonly silent?: readonly string[]
  /** Events also sent where no transition handles them; nothing may change then. */
  readonly unhandled: 'all' | readonly string[]
  /** True where a surface offers no gesture for an event that the machine accepts, for example behind a dialog. */
  hidden?(snapshot: Snapshot, event: EventObject): boolean
  /** Identity of a model state: everything that decides the next state, nothing that grows. */
  key(snapshot: Snapshot): string
  /** Projects what a user could observe, written independently of the machine's view. */
  project(snapshot: Snapshot, left: Left): Seen
}

interface TypedSpec<M extends AnyStateMachine, Seen> extends SpecParts<SnapshotFrom<M>, Seen> {
  readonly machine: M
  readonly input: ((clock: Clock) => InputFrom<M>) | Cases<(clock: Clock) => InputFrom<M>>
  readonly events: NoInfer<EventSamples<M>>
  readonly outcomes: NoInfer<PortOutcomes<M>>
  /** Samples that depend on the state, such as a row that is on the page; added to `events`. */
  eventsIn?(snapshot: SnapshotFrom<M>): Partial<EventSamples<M>>
}

/** A model of one machine with the machine's types erased. */
export interface Spec<Seen> extends SpecParts<AnyMachineSnapshot, Seen> {
  readonly machine: AnyStateMachine
  readonly input: ((clock: Clock) => unknown) | Cases<(clock: Clock) => unknown>
  readonly events: Readonly<Record<string, Cases<object>>>
  readonly outcomes: Readonly<Record<string, Cases<Outcome> | ((input: never) => Cases<Outcome>)>>
  eventsIn?(snapshot: AnyMachineSnapshot): Readonly<Record<string, Cases<object> | undefined>>
}

/** Checks a spec against its machine and erases the types. @throws when an event has no sample at all. */
export function modelSpec<M extends AnyStateMachine, Seen>(spec: TypedSpec<M, Seen>): Spec<Seen> {
  const erased = spec as unknown as Spec<Seen>
  for (const [type, cases] of Object.entries(erased.events))
    if (Object.keys(cases).length === 0 && erased.eventsIn === undefined)
      throw new Error(
        `${spec.machine.id}: event ${type} has no sample; use \`bare\` when it carries nothing`,
      )
  return erased
}

const models = new WeakMap<object, Model>()

/** The spec in the form of `@jiaowu/path-tests`. */
function toModel<Seen>(spec: Spec<Seen>): Model<Seen> {
  const known = models.get(spec) as Model<Seen> | undefined
  if (known !== undefined) return known
  const { outcomes, timers = {}, silent: silentSources = [], ...rest } = spec
  const model: Model<Seen> = {
    ...rest,
    wholeKey: false,
    children: Object.fromEntries([
      ...Object.entries(outcomes).map(
        ([source, table]) => [source, { kind: 'call', outcomes: table }] as const,
      ),
      ...Object.entries(timers).map(([id, each]) => {
        const { ms, ...more } = typeof each === 'number' ? { ms: each } : each
        return [id, timer(ms, { ...more, live: true })] as const
      }),
      ...silentSources.map((source) => [source, silent()] as const),
    ]),
  }
  models.set(spec, model)
  return model
}

/** The last graph of each spec. */
const graphs = new WeakMap<object, Graph>()
const checked = new WeakSet<Graph>()

/**
 * The graph of a spec, explored once for all tests of a worker: its page in docs/machines, its walks on
 * surfaces and the faults of its calls ask for the same one.
 * @throws for a graph that is larger than the limit, or that the machine crashes in
 */
export function explore<Seen>(spec: Spec<Seen>, maxStates = 300): Graph {
  const known = graphs.get(spec)
  return known !== undefined && known.nodes.length <= maxStates
    ? known
    : wholeGraph(spec, { maxStates, checked: false })
}

/**
 * The same graph, with the keys that merge states which behave differently (`mergedKeys`).
 * @throws also for a machine whose steps are not deterministic, or that changes its context in place
 */
export function exploreChecked<Seen>(spec: Spec<Seen>, maxStates = 300): Graph {
  const known = graphs.get(spec)
  return known !== undefined && checked.has(known) && known.nodes.length <= maxStates
    ? known
    : wholeGraph(spec, { maxStates })
}

function wholeGraph<Seen>(spec: Spec<Seen>, options: ExploreOptions): Graph {
  const graph = exploreModel(toModel(spec), options)
  const wrong = graph.findings.filter(({ code }) => code !== 'merged-states')
  if (wrong.length > 0)
    throw new Error(
      wrong
        .map(
          ({ message, path }) =>
            `${spec.machine.id}: ${message}${path === '' ? '' : `, after ${path}`}`,
        )
        .join('\n'),
    )
  graphs.set(spec, graph)
  if (options.checked !== false) checked.add(graph)
  return graph
}

/**
 * Keys of the graph that merge states which behave differently.
 * @throws for a graph in which they were not looked for (`exploreChecked`)
 */
export function mergedKeys(graph: Graph): string[] {
  if (!checked.has(graph)) throw new Error(`${graph.machine} was not explored with checks`)
  return graph.findings.filter(({ code }) => code === 'merged-states').map(({ message }) => message)
}

export function createStepper<Seen>(spec: Spec<Seen>): Stepper<Seen> {
  return stepperOf(toModel(spec))
}
export function actorDriver<Seen>(spec: Spec<Seen>, options?: ActorDriverOptions): Driver<Seen> {
  return driverOf(toModel(spec), options)
}
export function buildSpecInput<Seen>(spec: Spec<Seen>, start: string, clock: Clock): unknown {
  return inputOfModel(toModel(spec), start, clock)
}
export function parsePath<Seen>(spec: Spec<Seen>, text: string): Path {
  return parsePathOf(toModel(spec), text)
}
export function runPath<Seen>(
  spec: Spec<Seen>,
  path: Path,
  driver: Driver<Seen>,
): Promise<RunResult> {
  return runPathOf(toModel(spec), path, driver)
}
export function runPaths<Seen>(
  spec: Spec<Seen>,
  graph: Graph,
  paths: readonly Path[],
  makeDriver: MakeDriver<Seen>,
): Promise<RunReport> {
  return runPathsOf(toModel(spec), graph, paths, makeDriver)
}
export function runWalks<Seen>(
  spec: Spec<Seen>,
  makeDriver: MakeDriver<Seen>,
  options: WalkOptions,
): Promise<WalkReport> {
  return runWalksOf(toModel(spec), makeDriver, options)
}
export function startTrial<Seen>(
  spec: Spec<Seen>,
  paths: readonly Path[],
  options: Parameters<typeof startTrialOf<Seen>>[2],
): Promise<Trial> {
  return startTrialOf(toModel(spec), paths, options)
}
