import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate'
import type { Spec } from '@jiaowu/path-tests'

/** Which way the cursor leaves a field; on a terminal there is no leaving a field for nowhere. */
export interface Leaving {
  readonly field: string
  readonly to: string
}
type Told = {
  readonly type: string
  readonly params?: { readonly event?: { readonly type: string; readonly field?: string } }
}

export function cursorOf(snapshot: AnyMachineSnapshot): string {
  return (snapshot.context as { readonly cursor: string }).cursor
}

/**
 * A model of a form as it is on a terminal, where going to another field is itself the blur of the one left. So a blur is a move from where the
 * cursor is, to the next field or the one before (round at the ends), and a field is typed into where the cursor is. Left out are, in each state,
 * only those steps a person must move for first: that move is a step of its own.
 */
export function atCursor<Seen>(
  model: Spec<Seen>,
  fields: readonly string[],
  {
    anew = '',
    still,
  }: { readonly anew?: string; readonly still: (snapshot: AnyMachineSnapshot) => boolean },
): Spec<Seen> {
  const beside = (field: string, by: number) =>
    fields[(fields.indexOf(field) + by + fields.length) % fields.length] ?? field
  const leavings = fields.flatMap(
    (field) =>
      [
        [`${field}↓`, { field, to: beside(field, 1) }],
        [`${field}↑`, { field, to: beside(field, -1) }],
      ] as const,
  )
  return {
    ...model,
    machine: withCursor(model.machine, fields[0] ?? '', anew),
    events: {
      ...model.events,
      'field.blur': Object.fromEntries(leavings) satisfies Readonly<Record<string, Leaving>>,
    },
    covered: (snapshot, event) => {
      if (event.type !== 'field.change' && event.type !== 'field.blur') return false
      // While an answer is on its way the cursor stays: nothing can be left then.
      if (event.type === 'field.blur' && still(snapshot)) return true
      return (event as unknown as Leaving).field !== cursorOf(snapshot)
    },
    key: (snapshot) => `${model.key(snapshot)} ${cursorOf(snapshot)}`,
  }
}

/**
 * The model of a machine and of the cursor beside it. Only the model counts the cursor: what is driven is the machine itself (`provide` begins
 * at its own definition). It goes where a blur says and where `invalid` puts it, and is at the first field when the form is shown anew.
 */
function withCursor(machine: AnyStateMachine, first: string, anew: string): AnyStateMachine {
  type Scope = Parameters<AnyStateMachine['transition']>[2]
  const put = (snapshot: AnyMachineSnapshot, cursor: string): AnyMachineSnapshot => ({
    ...snapshot,
    context: { ...(snapshot.context as object), cursor },
  })
  const step = (
    snapshot: AnyMachineSnapshot,
    event: EventObject,
    scope: Scope,
  ): AnyMachineSnapshot => {
    let cursor =
      event.type === 'field.blur'
        ? (event as unknown as Leaving).to
        : event.type === anew
          ? first
          : cursorOf(snapshot)
    const actionExecutor: Scope['actionExecutor'] = (action) => {
      const { type, params } = action as Told
      if (type === 'xstate.emit' && params?.event?.type === 'invalid')
        cursor = params.event.field ?? cursor
      scope.actionExecutor(action)
    }
    const next = machine.transition(snapshot, event, { ...scope, actionExecutor })
    return put(next, next === snapshot ? cursorOf(snapshot) : cursor)
  }
  return Object.create(machine, {
    getInitialSnapshot: {
      value: (...how: Parameters<AnyStateMachine['getInitialSnapshot']>) =>
        put(machine.getInitialSnapshot(...how), first),
    },
    transition: { value: step },
  }) as AnyStateMachine
}
