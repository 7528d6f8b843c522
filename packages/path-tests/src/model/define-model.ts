import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  ContextFrom,
  EventFromLogic,
  EventObject,
  InputFrom,
  PromiseActorLogic,
  SnapshotFrom,
  StateMachine,
} from 'xstate'
import type { CallChild, Child, Named, SendingChild, SilentChild, TimerChild } from './children.ts'
import { ModelError } from './model-error.ts'
import { stableText } from './text.ts'

export interface Clock {
  /** Milliseconds since the start of the path. */
  now(): number
}
/** Milliseconds left of a timer child, null when it does not run. */
export type Left = (childId: string) => number | null

const preparing = Symbol('prepare')
/** The data of an event, with a function to run before the event is sent (see `withPreparation`). */
export type Prepared<T> = T & { readonly [preparing]: () => void }

/** The data of the event type `T`. */
export type Payload<E, T> = E extends { type: infer U }
  ? T extends U
    ? Omit<E, 'type'>
    : never
  : never
/** Samples of an event by name (paths print it), or as a list. */
export type Samples<T> = Named<T> | readonly T[]
type OwnTypes<M extends AnyStateMachine> = Exclude<
  EventFromLogic<M>['type'],
  `xstate.${string}` | '*'
>
type PlainTypes<M extends AnyStateMachine> = {
  [T in OwnTypes<M>]: object extends Payload<EventFromLogic<M>, T> ? T : never
}[OwnTypes<M>]
/** Samples of the machine's events; those that carry no data need none. */
export type EventSamples<M extends AnyStateMachine> = {
  readonly [T in Exclude<OwnTypes<M>, PlainTypes<M>>]: Samples<Payload<EventFromLogic<M>, T>>
} & { readonly [T in PlainTypes<M>]?: Samples<Payload<EventFromLogic<M>, T>> }

/** The actors that `setup` of the machine declares. */
export type ActorOf<M> =
  M extends StateMachine<
    infer _C,
    infer _E,
    infer _Ch,
    infer Actor,
    infer _A,
    infer _G,
    infer _D,
    infer _V,
    infer _T,
    infer _I,
    infer _O,
    infer _Em,
    infer _Me,
    infer _S,
    infer _TM
  >
    ? Actor
    : never
type SourceOf<A> = A extends { src: infer Source } ? Source & string : never
type LogicOf<A, Source> = A extends { src: Source; logic: infer Logic } ? Logic : never
type ChildOf<Logic> =
  Logic extends PromiseActorLogic<infer Output, infer Input>
    ? CallChild<Output, Input> | TimerChild | SilentChild | SendingChild
    : Child
/** The behaviour of each child, by its id or by the name of its source in `setup`. */
export type Children<M extends AnyStateMachine> = {
  readonly [Source in SourceOf<ActorOf<M>>]?: ChildOf<LogicOf<ActorOf<M>, Source>>
} & {
  readonly [id: string]: CallChild<unknown> | TimerChild | SilentChild | SendingChild | undefined
}

interface CommonOptions<Snapshot, Seen> {
  /** Events also sent where no transition handles them; nothing may change then. Default: all. */
  readonly unhandled?: 'all' | 'none' | readonly string[]
  /** Events that only the machine or its children send: the user does not, and they need no sample. */
  readonly internal?: readonly string[]
  /** True where a surface has no control for an event that the machine accepts. Such steps are left out. */
  hidden?(snapshot: Snapshot, event: EventObject): boolean
  /**
   * Identity of a model state: everything that decides the next state, nothing that grows. History,
   * pending calls and timers are added to it. Default: the state value and the context.
   */
  key?(snapshot: Snapshot): string
  /** Projects what a user could observe. Default: value, tags, context, output. */
  project?(snapshot: Snapshot, left: Left): Seen
  readonly bounds?: {
    /** States where this is false are not explored further. */ when?(snapshot: Snapshot): boolean
    /** Default 1,000. */ readonly maxStates?: number
  }
  /** Runs before every start of the machine: sets what it reads outside itself. */
  setup?(): void
}

interface OwnOptions<M extends AnyStateMachine, Seen> extends CommonOptions<SnapshotFrom<M>, Seen> {
  readonly children?: NoInfer<Children<M>>
  /** Samples that depend on the state, such as a row that is on the page; added to `events`. */
  eventsIn?(snapshot: SnapshotFrom<M>): Partial<EventSamples<M>>
  /** Parts of the context that the default key leaves out. They are compared all the same. */
  readonly ignore?: readonly (keyof ContextFrom<M> & string)[]
}
type MakeInput<M extends AnyStateMachine> =
  | ((clock: Clock) => InputFrom<M>)
  | Named<(clock: Clock) => InputFrom<M>>
/**
 * Options of the explorer besides the machine. `input` is made for each run with that run's clock;
 * it is a table when the machine starts in several ways (add, edit), and paths then name their
 * start.
 */
export type ModelOptions<M extends AnyStateMachine, Seen = unknown> = OwnOptions<M, Seen> &
  Needed<M>
type Needed<M extends AnyStateMachine> = (undefined extends InputFrom<M>
  ? { readonly input?: MakeInput<M> }
  : { readonly input: MakeInput<M> }) &
  ([Exclude<OwnTypes<M>, PlainTypes<M>>] extends [never]
    ? { readonly events?: NoInfer<EventSamples<M>> }
    : { readonly events: NoInfer<EventSamples<M>> })

/** A machine with its samples, ready to be explored. Made by `defineModel`. */
export interface Model<Seen = unknown> extends CommonOptions<AnyMachineSnapshot, Seen> {
  readonly machine: AnyStateMachine
  readonly input: ((clock: Clock) => unknown) | Named<(clock: Clock) => unknown>
  readonly events: Readonly<Record<string, Named<object>>>
  readonly children: Readonly<Record<string, Child | undefined>>
  eventsIn?(snapshot: AnyMachineSnapshot): Readonly<Record<string, Named<object> | undefined>>
  key(snapshot: AnyMachineSnapshot): string
  project(snapshot: AnyMachineSnapshot, left: Left): Seen
  /** Parts of the context that the default key leaves out. */ readonly ignore?: readonly string[]
  /** Whether the key is the default one; inputs of pending calls are then part of it. */
  readonly wholeKey: boolean
}

/** The observation without `project`. */
export interface DefaultSeen {
  readonly value: unknown
  readonly tags: readonly string[]
  readonly context: string
  readonly output: string
}

/** The name of a sample that needs none: paths print the event's type alone. */
export const onlySample = 'default'
const noData: Named<object> = { [onlySample]: {} }

/**
 * A model of a machine: samples of its events, what its children do, and what is observed. Every
 * part has a default; the types ask for samples of events that carry data and for input that the
 * machine requires.
 * @throws ModelError `no-sample` for samples that are an empty table, `wildcard` for a name such as `a.*`
 */
export function defineModel<M extends AnyStateMachine, Seen = DefaultSeen>(
  machine: M,
  ...[options]: object extends Needed<M>
    ? [options?: OwnOptions<M, Seen> & Needed<M>]
    : [options: OwnOptions<M, Seen> & Needed<M>]
): Model<Seen> {
  const {
    input,
    events = {},
    eventsIn,
    children = {},
    ignore = [],
    key,
    project,
    ...common
  } = (options ?? {}) as unknown as ErasedOptions<Seen>
  const own = machine.events.filter(
    (type: string) =>
      !type.startsWith('xstate.') &&
      !type.includes('*') &&
      !Object.hasOwn(events, type) &&
      common.internal?.includes(type) !== true,
  )
  // Events may be called `toString` or `__proto__`.
  const table: Record<string, Named<object>> = Object.fromEntries(
    [...Object.keys(events), ...own].map((type) => [
      type,
      nameEventSamples(machine.id, type, Object.hasOwn(events, type) ? events[type] : undefined),
    ]),
  )
  const kept = (context: unknown): unknown =>
    ignore.length === 0 || typeof context !== 'object' || context === null
      ? context
      : Object.fromEntries(Object.entries(context).filter(([name]) => !ignore.includes(name)))
  return {
    ...common,
    machine: limitMicrosteps(machine),
    input: input ?? (() => undefined),
    events: table,
    children,
    ignore,
    ...(eventsIn === undefined
      ? {}
      : {
          eventsIn: (snapshot) =>
            Object.fromEntries(
              Object.entries(eventsIn(snapshot)).map(([type, samples]) => [
                type,
                samples === undefined ? undefined : nameEventSamples(machine.id, type, samples),
              ]),
            ),
        }),
    wholeKey: key === undefined,
    key: key ?? (({ value, context }) => stableText([value, kept(context)])),
    project:
      project ??
      (({ value, tags, context, output }: AnyMachineSnapshot) =>
        ({
          value,
          tags: [...tags].sort(),
          context: stableText(context),
          output: stableText(output),
        }) as Seen),
  }
}

/** Microsteps of one event; transitions without an event may follow one another for ever. */
export const maxIterations = 1000

/**
 * The machine with a limit on its microsteps, unless it has one: a loop is then an error of the event,
 * where xstate would use up all memory. The machine itself is kept, since walks compare it.
 */
function limitMicrosteps<M extends AnyStateMachine>(machine: M): M {
  if (machine.options.maxIterations === Infinity)
    machine.options = { ...machine.options, maxIterations }
  return machine
}

interface ErasedOptions<Seen> extends CommonOptions<AnyMachineSnapshot, Seen> {
  readonly input?: Model<Seen>['input']
  readonly events?: Readonly<Record<string, Samples<object> | undefined>>
  readonly children?: Model<Seen>['children']
  readonly ignore?: readonly string[]
  eventsIn?(snapshot: AnyMachineSnapshot): Readonly<Record<string, Samples<object> | undefined>>
}

function nameEventSamples(
  machine: string,
  type: string,
  samples: Samples<object> | undefined,
): Named<object> {
  if (type.includes('*'))
    throw new ModelError('wildcard', `${machine}: give samples of events that ${type} stands for`)
  if (samples === undefined) return noData
  const named = Array.isArray(samples)
    ? Object.fromEntries((samples as readonly object[]).map((each, at) => [`${at + 1}`, each]))
    : (samples as Named<object>)
  if (Array.isArray(samples) && samples.length === 0)
    throw new ModelError('no-sample', `${machine}: the list of samples of ${type} is empty`)
  return named
}

/**
 * A sample with a set-up: `prepare` runs before each time the event is sent, in the model and in
 * the actor driver, for machines that read what is outside them (storage, a global).
 */
export function withPreparation<const T extends object>(prepare: () => void, data: T): Prepared<T> {
  return { ...data, [preparing]: prepare }
}

/** Runs the set-up of a sample and returns its data. */
export function takePreparation(data: object): (() => void) | null {
  return (data as Partial<Prepared<object>>)[preparing] ?? null
}

/** Names of the machine's starts; a single generic one when `input` is a function. */
export const onlyStart = 'start'
export function listStarts({ input }: Pick<Model, 'input'>): string[] {
  return typeof input === 'function' ? [onlyStart] : Object.keys(input)
}
/** The input of a start. @throws ModelError `no-start` when there is no such start */
export function buildStartInput(
  { machine, input }: Pick<Model, 'machine' | 'input'>,
  start: string,
  clock: Clock,
): unknown {
  const make = typeof input === 'function' ? input : input[start]
  if (make === undefined) throw new ModelError('no-start', `${machine.id} has no start ${start}`)
  return make(clock)
}
