import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { Spec } from '../../machines/spec.ts'

/**
 * A move of the cursor from one field to another; on a terminal a field cannot lose it otherwise.
 */
export interface Leaving {
  readonly field: string
  readonly to: string
}
type Scope = Parameters<AnyStateMachine['transition']>[2]
interface Told {
  readonly type: string
  readonly params?: { readonly event?: { readonly type: string; readonly field?: string } }
}

export function readCursor(snapshot: AnyMachineSnapshot): string {
  return (snapshot.context as { readonly cursor: string }).cursor
}

/**
 * A model of a form on a terminal, where going to another field is itself the blur of the field
 * left. So a blur is a move to the next or previous field (around the ends), and typing goes to the
 * field with the cursor. In each state those steps are left out for which the user must move first:
 * that move is a step of its own.
 */
export function atCursor<Seen>(
  model: Spec<Seen>,
  fields: readonly string[],
  {
    anew = '',
    still,
  }: {
    /** The event that shows the form anew. */
    readonly anew?: string
    /** While a request is under way the cursor stays. */
    readonly still: (snapshot: AnyMachineSnapshot) => boolean
  },
): Spec<Seen> {
  const beside = (field: string, by: number) =>
    fields.at((fields.indexOf(field) + by) % fields.length)
  const leavings = fields.flatMap((field) => [
    [`${field}↓`, { field, to: beside(field, 1) ?? field }] as const,
    [`${field}↑`, { field, to: beside(field, -1) ?? field }] as const,
  ])
  return {
    ...model,
    machine: withCursor(model.machine, fields[0] ?? '', anew),
    events: {
      ...model.events,
      'field.blur': Object.fromEntries(leavings) satisfies Readonly<Record<string, Leaving>>,
    },
    hidden: (snapshot, event) => {
      if (event.type !== 'field.change' && event.type !== 'field.blur') return false
      if (event.type === 'field.blur' && still(snapshot)) return true
      return (event as unknown as Leaving).field !== readCursor(snapshot)
    },
    key: (snapshot) => `${model.key(snapshot)} ${readCursor(snapshot)}`,
  }
}

/**
 * Adds the cursor to the model of a machine. Only the model has it: the driver runs the machine
 * itself (`provide` starts from the original definition). The cursor goes where a blur or the event
 * `invalid` puts it, and to the first field when the form is shown anew.
 */
function withCursor(machine: AnyStateMachine, first: string, anew: string): AnyStateMachine {
  const put = (snapshot: AnyMachineSnapshot, cursor: string): AnyMachineSnapshot => ({
    ...snapshot,
    context: { ...(snapshot.context as object), cursor },
  })
  const transition: AnyStateMachine['transition'] = (snapshot, event, scope) => {
    const before = readCursor(snapshot)
    let cursor = before
    if (event.type === 'field.blur') cursor = (event as unknown as Leaving).to
    if (event.type === anew) cursor = first
    const actionExecutor: Scope['actionExecutor'] = (action) => {
      const { type, params } = action as Told
      if (type === 'xstate.emit' && params?.event?.type === 'invalid')
        cursor = params.event.field ?? cursor
      scope.actionExecutor(action)
    }
    const next = machine.transition(snapshot, event, { ...scope, actionExecutor })
    return put(next, next === snapshot ? before : cursor)
  }
  const getInitialSnapshot: AnyStateMachine['getInitialSnapshot'] = (...how) =>
    put(machine.getInitialSnapshot(...how), first)
  return Object.create(machine, {
    getInitialSnapshot: { value: getInitialSnapshot },
    transition: { value: transition },
  }) as AnyStateMachine
}
