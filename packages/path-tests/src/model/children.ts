import type { AnyActorLogic, AnyStateMachine, EventObject } from 'xstate'

/** How a call ends: named in the model, so that a path can say `createOrder → free`. */
export type Outcome<Output = unknown> =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly error: unknown }
export type NamedOutcome = Outcome & { readonly name: string }
export type Named<T> = Readonly<Record<string, T>>
/** Outcomes by name; a function when they depend on the call's input (their names must not). */
export type Outcomes<Output = unknown, Input = never> =
  | Named<Outcome<Output>>
  | ((input: Input) => Named<Outcome<Output>>)

/** A call (`fromPromise`, or any child that ends): stays pending until a step ends it. */
export interface CallChild<Output = unknown, Input = never> {
  readonly kind: 'call'
  readonly outcomes: Outcomes<Output, Input>
}
/** A child that ends by itself after a time, such as a countdown. */
export interface TimerChild {
  readonly kind: 'timer'
  /** Milliseconds; a function of the child's input and the time since the start of the path. */
  readonly ms: number | ((input: unknown, now: number) => number)
  /** Output in the child's done event. */
  readonly output?: unknown
  /** Run the child's own logic in the actor driver, on its clock, instead of a stand-in. */
  readonly live?: boolean
  /** Milliseconds left as the live child counts them, for `project`. */
  left?(child: unknown): number
}
/** A child that the model does not look into: its start and stop are effects. */
export interface SilentChild {
  readonly kind: 'silent'
  /** The state that the machine reads when it asks the child for its snapshot. */
  readonly snapshot?: unknown
  /** Run the child's own logic in the actor driver instead of a stand-in. */
  readonly live?: boolean
}
/** A child that sends events to the machine, or snapshots, and may end. */
export interface SendingChild {
  readonly kind: 'events'
  readonly events: Named<EventObject>
  /** Snapshots for `onSnapshot`: what the child's `getSnapshot()` would give. */
  readonly snapshots: Named<unknown>
  readonly outcomes: Named<Outcome>
}
export type Child = CallChild<unknown> | TimerChild | SilentChild | SendingChild

type Value = string | number | boolean | bigint | object | null | undefined
/** The end of a call that succeeds. Give literals inside objects `as const` where the machine's type asks for them. */
export function ok<T extends Value>(output: T): Outcome<T>
export function ok(output: unknown): Outcome
export function ok(output: unknown): Outcome {
  return { ok: true, output }
}
/** The end of a call that fails. */
export function fails(error: unknown): Outcome<never> {
  return { ok: false, error }
}
type OutputOf<T> = T extends { readonly ok: true; readonly output: infer Output } ? Output : never

/** A child that ends with one of these outcomes. */
export function call<T extends Named<Outcome>>(
  outcomes: T,
): CallChild<OutputOf<T[keyof T]>, unknown>
export function call<T extends Named<Outcome>, Input>(
  outcomes: (input: Input) => T,
): CallChild<OutputOf<T[keyof T]>, Input>
export function call(outcomes: Outcomes): CallChild {
  return { kind: 'call', outcomes }
}

/** A child that ends after `ms`. */
export function timer(
  ms: TimerChild['ms'],
  more: Omit<TimerChild, 'kind' | 'ms'> = {},
): TimerChild {
  return { kind: 'timer', ms, ...more }
}

/** A child that does nothing that the machine could notice. */
export function silent(snapshot?: unknown): SilentChild {
  return { kind: 'silent', snapshot }
}

/** A child (callback, observable, machine) that sends these events to the machine. */
export function events(
  sent: Named<EventObject> | readonly EventObject[],
  { snapshots = {}, outcomes = {} }: Partial<Pick<SendingChild, 'snapshots' | 'outcomes'>> = {},
): SendingChild {
  const named = Array.isArray(sent)
    ? Object.fromEntries(
        (sent as readonly EventObject[]).map((event, index) => [
          sent.filter(({ type }: EventObject) => type === event.type).length > 1
            ? `${event.type}(${index + 1})`
            : event.type,
          event,
        ]),
      )
    : (sent as Named<EventObject>)
  return { kind: 'events', events: named, snapshots, outcomes }
}

/**
 * Chooses the kind of a child without an entry: calls end with `ok` or `error`, others do what the
 * machine handles.
 */
export function defaultChild(machine: AnyStateMachine, logic: AnyActorLogic, id: string): Child {
  const bothWays = { ok: ok(undefined), error: fails(new Error('error')) }
  if (isPromise(logic)) return call(bothWays) as CallChild
  const handled = handledTypes(machine)
  const outcomes = {
    ...(handled.has(`xstate.done.actor.${id}`) ? { ok: bothWays.ok } : {}),
    ...(handled.has(`xstate.error.actor.${id}`) ? { error: bothWays.error } : {}),
  }
  const snapshots = handled.has(`xstate.snapshot.${id}`)
    ? { snapshot: { status: 'active', context: undefined } }
    : {}
  return Object.keys({ ...outcomes, ...snapshots }).length === 0
    ? silent()
    : events({}, { outcomes, snapshots })
}

const handledIn = new WeakMap<AnyStateMachine, ReadonlySet<string>>()

function handledTypes(machine: AnyStateMachine): ReadonlySet<string> {
  const known = handledIn.get(machine) ?? new Set(machine.events)
  handledIn.set(machine, known)
  return known
}

/** The logic of `fromPromise` ends at this event; no other logic does. */
export function isPromise(logic: AnyActorLogic): boolean {
  if ('root' in logic || !('start' in logic)) return false
  try {
    const before = logic.getInitialSnapshot(undefined as never, undefined)
    if (!('input' in before) || '_subscription' in before) return false
    const after = logic.transition(
      before,
      { type: 'xstate.promise.resolve', data: 0 } as never,
      { self: {} } as never,
    )
    return after.status === 'done'
  } catch {
    return false
  }
}
