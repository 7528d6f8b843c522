import type { Left } from '@jiaowu/path-tests'
import type { ReactElement } from 'react'
import type { Actor, AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate'
import type { MachineModel } from '../../machines/machine-model.ts'
import type { Spec } from '../../machines/spec.ts'
import { mapParts } from '../parts.ts'
import { mapValues, type Plain, samplesOf } from '../samples.ts'
import {
  expectedSentences,
  hasParams,
  joined,
  patternOf,
  type SentenceTable,
  templatesOf,
} from '../sentences.ts'
import type { TerminalGesture } from './gestures.ts'
import { partsIn, squeezed, type TerminalScreen, type TerminalUser, wrappedIn } from './screen.tsx'

/** What a screen shows, by the rows of its table, with `says` and `offers`. */
export type TableSeen = Readonly<Record<string, Plain>>

/** One row: how a property follows from the machine's state, and where the frame shows it. */
interface Reading<View, T extends Plain = Plain> {
  model(view: View): T
  screen(user: TerminalUser): T | Promise<T>
}

/** One gesture per event of a machine: a new event without one does not compile. */
type GestureTable<Event extends { readonly type: string }> = {
  readonly [T in Event['type']]:
    | TerminalGesture
    | ((event: Extract<Event, { type: T }>) => TerminalGesture)
}

/** A driver of an Ink screen as a table. `View` is what the rows read: plain data of the machine's state. */
export interface TerminalTable<Snapshot, Event extends { readonly type: string }, View> {
  readonly model: MachineModel
  /** Changes of the model where the screen differs from the bare machine: samples, outcomes. */
  adapt?(spec: Spec<unknown>): Partial<Spec<unknown>>
  view(snapshot: Snapshot, left: Left): View
  /** The screen is gone; nothing else is compared then. */
  readonly isGone?: Reading<View, boolean>
  readonly readings: Readonly<Record<string, Reading<View>>>
  /** Sentences of the catalogue, and when the screen shows them. */
  readonly says: SentenceTable<View>
  /**
   * The keys that the screen lists, by label, which are compared with what the machine can do: those of `gestures`,
   * and of these, which are no event of the machine or depend on more than whether it takes one.
   */
  readonly hints?: Readonly<Record<string, (view: View) => boolean>>
  readonly gestures: GestureTable<Event>
  /** Events that the machine takes although the screen has no key for them. */
  hidden?(snapshot: Snapshot, event: Event): boolean
  element(actor: Actor<AnyStateMachine>): ReactElement
  /** A part of another machine takes the keys: those listed are its own. */
  isCovered?(user: TerminalUser): boolean
  /** Runs before each reading, such as moving a cursor to where the readings expect it. */
  before?(user: TerminalUser): Promise<void>
}

/** A machine on an Ink screen, as `gateTerminal` and the path runner take it. */
export interface TerminalDriver {
  readonly parts: Readonly<Record<string, Spec<TableSeen>>>
  makeScreen(): TerminalScreen<TableSeen>
}

/** Makes a driver of its table: the model as it is seen on the screen, and the screen itself. */
export function terminalDriverOf<Snapshot, Event extends { readonly type: string }, View>(
  table: TerminalTable<Snapshot, Event, View>,
): TerminalDriver {
  const keys = keysOf(table)
  const labels = [
    ...new Set([...keys.map(({ label }) => label), ...Object.keys(table.hints ?? {})]),
  ]
  return {
    parts: mapParts(table.model.parts, (spec) => onTerminal(table, keys, spec)),
    makeScreen: () => ({
      element: (actor) => table.element(actor),
      gesture: ({ event }, user, actor) => gestureFor(table, event).run(user, actor),
      read: async (user) => {
        await table.before?.(user)
        if ((await table.isGone?.screen(user)) === true) return { gone: true }
        return {
          ...(await readAll(table.readings, user)),
          says: sentencesIn(user, templatesOf(table.says, 'zh-CN')),
          offers: joined(
            labels.filter(
              (label) => table.isCovered?.(user) !== true && user.keyFor(label) !== null,
            ),
          ),
        }
      },
    }),
  }
}

function onTerminal<S, E extends { readonly type: string }, V>(
  table: TerminalTable<S, E, V>,
  keys: readonly ListedKey[],
  given: Spec<unknown>,
): Spec<TableSeen> {
  const spec: Spec<unknown> = { ...given, ...table.adapt?.(given), unhandled: [] }
  const isHidden = (snapshot: AnyMachineSnapshot, event: EventObject) =>
    table.hidden === undefined
      ? spec.hidden?.(snapshot, event) === true
      : table.hidden(snapshot as S, event as unknown as E)
  return {
    ...spec,
    hidden: isHidden,
    project: (snapshot, left): TableSeen => {
      const view = table.view(snapshot as S, left)
      if (table.isGone?.model(view) === true) return { gone: true }
      const hints = Object.entries(table.hints ?? {})
      return {
        ...mapValues(table.readings, (row) => row.model(view)),
        says: squeezed(expectedSentences(table.says, view, 'zh-CN')),
        offers: joined([
          ...hints.flatMap(([label, isListed]) => (isListed(view) ? [label] : [])),
          ...keys.flatMap(({ label, event }) =>
            snapshot.can(event) && !isHidden(snapshot, event) ? [label] : [],
          ),
        ]),
      }
    },
  }
}

function gestureFor<S, E extends { readonly type: string }, V>(
  { gestures }: TerminalTable<S, E, V>,
  event: EventObject,
): TerminalGesture {
  const row = gestures[event.type as E['type']] as
    | TerminalGesture
    | ((event: EventObject) => TerminalGesture)
  return typeof row === 'function' ? row(event) : row
}

/** The key that stands for a sample of an event. */
interface ListedKey {
  readonly label: string
  readonly event: EventObject
}

function keysOf<S, E extends { readonly type: string }, V>(
  table: TerminalTable<S, E, V>,
): readonly ListedKey[] {
  return samplesOf(table.model, table.adapt).flatMap(({ event }) => {
    const { label } = gestureFor(table, event)
    return label === undefined ? [] : [{ label, event }]
  })
}

async function readAll<View>(
  readings: Readonly<Record<string, Reading<View>>>,
  user: TerminalUser,
): Promise<TableSeen> {
  const read: Record<string, Plain> = {}
  // In turn: a reading may press keys to show another pane.
  for (const [name, row] of Object.entries(readings)) read[name] = await row.screen(user)
  return read
}

/** The sentences of these templates that the frame shows, without blanks: a wide one goes on in the next line. */
function sentencesIn(user: TerminalUser, templates: readonly string[]): string {
  const frame = user.frame()
  const [parts, wrapped] = [partsIn(frame), wrappedIn(frame)].map((all) => all.map(squeezed))
  return joined(
    templates.flatMap((template) => {
      if (!hasParams(template)) return user.says(template) ? [squeezed(template)] : []
      const pattern = new RegExp(`^${patternOf(squeezed(template))}$`)
      const whole = (parts ?? []).filter((part) => pattern.test(part))
      return whole.length > 0 ? whole : (wrapped ?? []).filter((text) => pattern.test(text))
    }),
  )
}
