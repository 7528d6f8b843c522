import type { Actor, AnyStateMachine } from 'xstate'
import { mapValues } from '../samples.ts'
import type { TerminalUser } from './screen.tsx'

/** The action of a user at a terminal for one event of a machine. */
export interface TerminalGesture {
  /** The label of its key: listed exactly while the machine takes the event. */
  readonly label?: string
  /** Null: the screen offers no way to it now. */
  run(user: TerminalUser, actor: Actor<AnyStateMachine>): Promise<void> | null
}

/** Presses the key listed for a label; with `only`, when it is that key. */
export function key(label: string, only?: string): TerminalGesture {
  return { ...afterKey(label, (user, listed) => user.press(listed), only), label }
}

/** A gesture that begins while a key is listed, which is given to it; `only`, when it is that key. */
export function afterKey(
  label: string,
  run: (user: TerminalUser, listed: string) => Promise<void>,
  only?: string,
): TerminalGesture {
  return custom((user) => {
    const found = user.keyFor(label)
    return found === null || (only !== undefined && found !== only) ? null : run(user, found)
  })
}

/** Presses the key listed for the first of these labels; `hints` says when each is listed. */
export function unlistedKey(...labels: readonly string[]): TerminalGesture {
  return custom((user) => {
    const found = labels.map(user.keyFor).find((each) => each !== null)
    return found === undefined || found === null ? null : user.press(found)
  })
}

/** The same for several events, each with its label. */
export function unlistedKeys<T extends string>(
  labels: Readonly<Record<T, string>>,
): Readonly<Record<T, TerminalGesture>> {
  return mapValues(labels, (label) => unlistedKey(label)) as Record<T, TerminalGesture>
}

/** Replaces the text of the field at the cursor, where the frame shows what `isThere` expects. */
export function retype(text: string, isThere: string): TerminalGesture {
  return custom((user) => (user.frame().includes(isThere) ? typeOver(user, text) : null))
}

export async function typeOver(user: TerminalUser, text: string): Promise<void> {
  await user.press('^u')
  if (text !== '') await user.type(text)
}

/** A gesture of its own kind; its key, if it has one, is not compared. */
export function custom(run: TerminalGesture['run']): TerminalGesture {
  return { run }
}

/** The same gesture for several events. */
export function gestureForEach<T extends string, Gesture>(
  gesture: Gesture,
  ...types: readonly T[]
): Readonly<Record<T, Gesture>> {
  return Object.fromEntries(types.map((type) => [type, gesture])) as Record<T, Gesture>
}

/** An event that no key sends: it comes from the command line, a file or the server. */
export function sendEvent(event: { readonly type: string }): TerminalGesture {
  return custom((_user, actor) => {
    actor.send(event)
    return Promise.resolve()
  })
}

/** For an event that this screen has no key for; `hidden` leaves it out where the machine takes it. */
export const noKey: TerminalGesture = custom(() => null)
