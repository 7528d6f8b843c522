// The list as a terminal is used: a typed condition searches at once, and a step is taken back while its notice stands.
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate'
import type { Spec } from '../spec.ts'

type Scope = Parameters<AnyStateMachine['transition']>[2]
interface Told {
  readonly type: string
  readonly params?: { readonly event?: { readonly type: string; readonly undo?: number } }
}
/** The steps that the notices on the screen offer to take back; null for a notice without one. */
type Notices = readonly (number | null)[]

/** Notices on the screen at most. */
const mostNotices = 2
/** Events that no key sends, and that leave the notices where they are. */
const fromElsewhere = ['row.saved', 'export.progress']

function readNotices({ context }: AnyMachineSnapshot): Notices {
  return (context as { readonly notices: Notices }).notices
}

/** The step that the key of the screen takes back; null: none. */
export function toldUndo(snapshot: AnyMachineSnapshot): number | null {
  return readNotices(snapshot).findLast((no) => no !== null) ?? null
}

/** Only the model has notices and searches at once: the driver runs the machine itself. */
export function adaptToTerminal<Seen>(spec: Spec<Seen>): Pick<Spec<Seen>, 'machine' | 'key'> {
  const { machine } = spec
  const hasUndo = Object.keys(spec.events['undo.press'] ?? {}).length > 0
  const put = (snapshot: AnyMachineSnapshot, notices: Notices): AnyMachineSnapshot => ({
    ...snapshot,
    context: { ...(snapshot.context as object), notices },
  })
  const transition: AnyStateMachine['transition'] = (snapshot, event, scope) => {
    const sent = event as EventObject
    const isPressed = sent.type in spec.events && !fromElsewhere.includes(sent.type)
    let notices = isPressed ? [] : readNotices(snapshot)
    const actionExecutor: Scope['actionExecutor'] = (action) => {
      const { type, params } = action as Told
      if (type === 'xstate.emit' && params?.event?.type === 'toast')
        notices = [...notices, params.event.undo ?? null].slice(-mostNotices)
      scope.actionExecutor(action)
    }
    const within = { ...scope, actionExecutor }
    const changed = machine.transition(snapshot, event, within)
    const next =
      sent.type === 'query.change'
        ? machine.transition(changed, { type: 'query.search' }, within)
        : changed
    return next === snapshot && !isPressed ? next : put(next, hasUndo ? notices : [])
  }
  const getInitialSnapshot: AnyStateMachine['getInitialSnapshot'] = (...how) =>
    put(machine.getInitialSnapshot(...how), [])
  return {
    machine: Object.create(machine, {
      getInitialSnapshot: { value: getInitialSnapshot },
      transition: { value: transition },
    }) as AnyStateMachine,
    key: (snapshot) => `${spec.key(snapshot)} ${JSON.stringify(readNotices(snapshot))}`,
  }
}
