import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  EventFromLogic,
  EventObject,
  InputFrom,
  PromiseActorLogic,
  SnapshotFrom,
  StateMachine,
} from 'xstate'

/** How a call ends: named in `outcomes`, so that a path can say `createOrder → free`. */
export type Outcome<Output = unknown> =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly error: unknown }
export type NamedOutcome = Outcome & { readonly name: string }
/** Named samples: paths print the name. */
export type Cases<T> = Readonly<Record<string, T>>
/** The samples of an event that carries nothing. */
export const bare = { bare: {} } as const

type Payload<E, T> = E extends { type: infer U } ? (T extends U ? Omit<E, 'type'> : never) : never
/** At least one sample per event of the machine: an event added without one does not compile. */
export type EventSamples<M extends AnyStateMachine> = {
  readonly [T in EventFromLogic<M>['type']]: Cases<Payload<EventFromLogic<M>, T>>
}

type ActorOf<M> =
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

/** A child that only waits (a countdown) and ends after `ms` on the system's clock. */
export interface TimerSpec {
  readonly ms: number | ((input: unknown, now: number) => number)
  /**
   * Milliseconds left as the running child counts them; lets the bare driver give `project` the
   * same value as the model.
   */
  left?(child: unknown): number
  /** Output in the child's done event. */
  readonly output?: unknown
}
/** Milliseconds left of a waiting child, null when it does not exist. */
export type Left = (childId: string) => number | null
export interface Now {
  now(): number
}

interface SpecParts<Snapshot, Seen> {
  /** Children that only wait, by invoke id; a number is milliseconds. */
  readonly timers?: Readonly<Record<string, number | TimerSpec>>
  /** Sources of children that never end (callbacks); the events they send belong in `events`. */
  readonly quiet?: readonly string[]
  /** Events also sent where no transition handles them; nothing may change then. */
  readonly sneak: 'all' | readonly string[]
  /**
   * True where a surface offers no gesture for an event that the machine accepts, for example
   * behind a dialog. Such steps are left out.
   */
  covered?(snapshot: Snapshot, event: EventObject): boolean
  /**
   * Identity of a model state: everything that decides the next state, nothing that grows. Pending
   * calls and timers are added to it.
   */
  key(snapshot: Snapshot): string
  /**
   * What a user could observe, written independently of the machine's view, so that the model does
   * not compare code with itself.
   */
  project(snapshot: Snapshot, left: Left): Seen
}

/**
 * What the explorer needs besides the machine.
 * Write it with `modelSpec({ … })`, which checks it against the machine's own types.
 */
export interface ModelSpec<M extends AnyStateMachine, Seen> extends SpecParts<
  SnapshotFrom<M>,
  Seen
> {
  readonly machine: M
  /**
   * Created for each run with that run's clock. A table when the machine starts in several ways
   * (add, edit); paths then name their start.
   */
  readonly input: ((clock: Now) => InputFrom<M>) | Cases<(clock: Now) => InputFrom<M>>
  readonly events: NoInfer<EventSamples<M>>
  readonly outcomes: NoInfer<PortOutcomes<M>>
  /** Samples that depend on the state, such as a row that is on the page; added to `events`. */
  pick?(snapshot: SnapshotFrom<M>): Partial<EventSamples<M>>
}

/** A `ModelSpec` with the machine's types erased: used internally. */
export interface Spec<Seen> extends SpecParts<AnyMachineSnapshot, Seen> {
  readonly machine: AnyStateMachine
  readonly input: ((clock: Now) => unknown) | Cases<(clock: Now) => unknown>
  readonly events: Readonly<Record<string, Cases<object>>>
  readonly outcomes: Readonly<Record<string, Cases<Outcome> | ((input: never) => Cases<Outcome>)>>
  pick?(snapshot: AnyMachineSnapshot): Readonly<Record<string, Cases<object> | undefined>>
}

/** Checks a spec against its machine and erases the types. @throws when an event has no sample at all. */
export function modelSpec<M extends AnyStateMachine, Seen>(spec: ModelSpec<M, Seen>): Spec<Seen> {
  const erased = spec as unknown as Spec<Seen>
  for (const [type, cases] of Object.entries(erased.events))
    if (Object.keys(cases).length === 0 && erased.pick === undefined)
      throw new Error(
        `${spec.machine.id}: event ${type} has no sample; use \`bare\` when it carries nothing`,
      )
  return erased
}

/** Names of the machine's starts; a single generic one when `input` is a function. */
export const onlyStart = 'start'
export function startsOf<Seen>({ input }: Pick<Spec<Seen>, 'input'>): string[] {
  return typeof input === 'function' ? [onlyStart] : Object.keys(input)
}
/** The input of a start. @throws when there is no such start */
export function inputOf<Seen>(
  { machine, input }: Pick<Spec<Seen>, 'machine' | 'input'>,
  start: string,
  clock: Now,
): unknown {
  const make = typeof input === 'function' ? input : input[start]
  if (make === undefined) throw new Error(`${machine.id} has no start ${start}`)
  return make(clock)
}

/** One step of a path. `event` is sent to the machine; `label` is printed. */
export type Step =
  | {
      readonly kind: 'user'
      readonly label: string
      readonly event: EventObject
      readonly sample: string
      /** No transition handles it here: nothing may change. */ readonly sneak: boolean
      /** Unhandled or forbidden here: a surface need not offer it. */ readonly inert: boolean
    }
  | {
      readonly kind: 'settle'
      readonly label: string
      readonly event: EventObject
      readonly port: string
      readonly outcome: NamedOutcome
    }
  | {
      readonly kind: 'time'
      readonly label: string
      readonly event: EventObject
      readonly timer: string
    }
export type UserStep = Extract<Step, { kind: 'user' }>

/** The step's name in a reproduce line, such as `settle:createOrder → free`. */
export const stepId = (step: Step): string => `${step.kind}:${step.label}`
export const isSneak = (step: Step): boolean => step.kind === 'user' && step.sneak
