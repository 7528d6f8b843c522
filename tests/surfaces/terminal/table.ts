import type { Left } from '@jiaowu/path-tests'
import { createElement, type FunctionComponent } from 'react'
import type { AnyMachineSnapshot, EventObject, StateValue } from 'xstate'
import type { MachineModel } from '../../machines/machine-model.ts'
import type { Spec } from '../../machines/spec.ts'
import { mapParts } from '../parts.ts'
import { mapValues, type Plain, listScreenSamples } from '../samples.ts'
import {
  expectedSentences,
  hasParams,
  joinDistinct,
  toTemplatePattern,
  type SentenceTable,
  listTemplates,
} from '../sentences.ts'
import type { EventOf, Shown, TableSeen, Typed, TypeOf, ViewOf } from '../shown.ts'
import { parseFrame, removeBlanks } from './frame.ts'
import { noKey, type TerminalGesture } from './gestures.ts'
import type { TerminalScreen, TerminalUser } from './screen.tsx'

export type { Shown }

/** One row: how a property follows from the view, and where the frame shows it. */
type Reading<View, T extends Plain = Plain> = readonly [
  model: (view: View) => T,
  screen: (user: TerminalUser) => T | Promise<T>,
]

/** One gesture per event of a machine: a new event without one does not compile. */
type GestureTable<E> = {
  readonly [T in TypeOf<E>]: TerminalGesture | ((event: Typed<E, T>) => TerminalGesture)
}

/** When the screen has no key for an event that the machine takes; true: never one. */
type HiddenTable<E, View> = {
  readonly [T in TypeOf<E>]?: true | ((view: View, event: Typed<E, T>) => boolean)
}

/** A driver of an Ink screen as a table. */
interface TerminalTable<V extends ViewOf> {
  readonly model: MachineModel
  /** Changes of the model where the screen differs from the bare machine: samples, outcomes. */
  adapt?(spec: Spec<unknown>): Partial<Spec<unknown>>
  /** The machine's view. */
  readonly view: V
  /** The screen is gone; nothing else is compared then. */
  readonly isGone?: Reading<Shown<V>, boolean>
  readonly readings: Readonly<Record<string, Reading<Shown<V>>>>
  /** Sentences of the catalogue, and when the screen shows them. */
  readonly says: SentenceTable<Shown<V>>
  /**
   * The keys that the screen lists, by label, which are compared with what the machine can do: those of `gestures`,
   * and of these, which are no event of the machine or depend on more than whether it takes one.
   */
  readonly hints?: Readonly<Record<string, (view: Shown<V>) => boolean>>
  readonly gestures: GestureTable<EventOf<V>>
  readonly hidden?:
    | HiddenTable<EventOf<V>, Shown<V>>
    | ((view: Shown<V>, event: EventOf<V>) => boolean)
  /** A part of another machine takes the keys: those listed are its own. */
  isCovered?(user: TerminalUser): boolean
  /** Runs before each reading, such as moving a cursor to where the readings expect it. */
  before?(user: TerminalUser): Promise<void>
}

/** The screen, which is given the actor and the language, and its other properties. */
type Drawn<P> = { readonly screen: FunctionComponent<P> } & (object extends OtherProps<P>
  ? { readonly props?: OtherProps<P> }
  : { readonly props: OtherProps<P> })
type OtherProps<P> = Omit<P, 'actor' | 'locale'>

/** The table of any machine. */
type AnyTable = TerminalTable<ViewOf>

/** A machine on an Ink screen, as `gateTerminal` and the path runner take it. */
export interface TerminalDriver {
  readonly parts: Readonly<Record<string, Spec<TableSeen>>>
  readonly screen: TerminalScreen<TableSeen>
}

/** Makes a driver of its table: the model as it is seen on the screen, and the screen itself. */
export function createTerminalDriver<V extends ViewOf, P extends { readonly actor: unknown }>({
  screen,
  props,
  ...rows
}: TerminalTable<V> & Drawn<P>): TerminalDriver {
  const table = rows as unknown as AnyTable
  const keys = listScreenSamples(table.model, table.adapt).flatMap(({ event }) => {
    const { label } = gestureFor(table, event)
    return label === undefined ? [] : [{ label, event }]
  })
  const labels = new Set([...keys.map(({ label }) => label), ...Object.keys(table.hints ?? {})])
  const sentencesIn = createSentenceReader(listTemplates(table.says, 'zh-CN'))
  return {
    parts: mapParts(table.model.parts, (spec) => onTerminal(table, keys, spec)),
    screen: {
      element: (actor) =>
        createElement(screen, { ...props, actor, locale: 'zh-CN' } as unknown as P),
      gesture: ({ event }, user, actor) => gestureFor(table, event).run(user, actor),
      read: async (user) => {
        await table.before?.(user)
        if ((await table.isGone?.[1](user)) === true) return { gone: true }
        const read: Record<string, Plain> = {}
        // In turn: a reading may press keys to show another pane.
        for (const [name, [, row]] of Object.entries(table.readings)) read[name] = await row(user)
        const listed = [...labels].filter((label) => user.keyFor(label) !== null)
        const isCovered = table.isCovered?.(user) === true
        return { ...read, says: sentencesIn(user), offers: isCovered ? '' : joinDistinct(listed) }
      },
    },
  }
}

/** Whether a machine is in one of these states, such as `shown.asking`. */
export function on(...states: readonly string[]) {
  return ({ s }: { readonly s: { readonly value: StateValue } }): boolean =>
    pathsIn(s.value).some((path) => states.includes(path))
}

function pathsIn(value: StateValue): readonly string[] {
  return typeof value === 'string'
    ? [value]
    : Object.entries(value).flatMap(([state, inner]) => [
        state,
        ...pathsIn(inner ?? {}).map((path) => `${state}.${path}`),
      ])
}

/** A text that is there on some condition only. */
export function showWhen<Some, View extends Some>(
  when: (view: Some) => boolean,
  text: (view: View) => string,
) {
  return (view: View): string => (when(view) ? text(view) : '')
}

function gestureFor({ gestures }: AnyTable, event: EventObject): TerminalGesture {
  type Row = TerminalGesture | ((event: EventObject) => TerminalGesture)
  const row = (gestures as Readonly<Record<string, Row>>)[event.type] ?? noKey
  return typeof row === 'function' ? row(event) : row
}

/** `keys` are those of the samples of events. */
function onTerminal(
  table: AnyTable,
  keys: readonly { readonly label: string; readonly event: EventObject }[],
  given: Spec<unknown>,
): Spec<TableSeen> {
  const spec: Spec<unknown> = { ...given, ...table.adapt?.(given), unhandled: [] }
  const isHidden = hiddenIn(table, spec)
  return {
    ...spec,
    hidden: isHidden,
    project: (snapshot, left): TableSeen => {
      const view = buildTerminalView(table, snapshot, left)
      if (table.isGone?.[0](view) === true) return { gone: true }
      const taken = keys.filter(({ event }) => snapshot.can(event) && !isHidden(snapshot, event))
      const hints = Object.entries(table.hints ?? {}).filter(([, isListed]) => isListed(view))
      return {
        ...mapValues(table.readings, ([model]) => model(view)),
        says: removeBlanks(expectedSentences(table.says, view, 'zh-CN')),
        offers: joinDistinct([
          ...hints.map(([label]) => label),
          ...taken.map(({ label }) => label),
        ]),
      }
    },
  }
}

function buildTerminalView({ view }: AnyTable, s: AnyMachineSnapshot, left: Left): Shown<ViewOf> {
  return { ...view(s as never), s: s as never, c: s.context as never, left }
}

/** Lists the events that the model hides, and the ones that the table hides besides. */
function hiddenIn(table: AnyTable, spec: Spec<unknown>) {
  type Hides = true | ((view: object, event: EventObject) => boolean)
  const hidden = (table.hidden ?? {}) as Hides | Readonly<Record<string, Hides | undefined>>
  return (s: AnyMachineSnapshot, event: EventObject): boolean => {
    const hides = typeof hidden === 'object' ? hidden[event.type] : hidden
    if (hides === true || spec.hidden?.(s, event) === true) return true
    return hides?.(buildTerminalView(table, s, notTimed), event) === true
  }
}

const notTimed: Left = () => null

/** Reads the sentences of these templates, without blanks: a wide one goes on in the next line. */
function createSentenceReader(templates: readonly string[]) {
  const fixed = templates.filter((template) => !hasParams(template))
  const patterns = templates
    .filter(hasParams)
    .map((template) => new RegExp(`^${toTemplatePattern(removeBlanks(template))}$`))
  return (user: TerminalUser): string => {
    const { says, matching } = parseFrame(user.frame())
    return joinDistinct([...fixed.filter(says).map(removeBlanks), ...patterns.flatMap(matching)])
  }
}
