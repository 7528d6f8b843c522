import type { Locale } from '@jiaowu/api'
import type { Left, UserStep } from '@jiaowu/path-tests'
import type { Spec } from '../../machines/spec.ts'
import type { AnyMachineSnapshot, EventObject } from 'xstate'
import { mapValues, type Plain, samplesIn, samplesOf } from '../samples.ts'
import type { MachineModel } from '../../machines/machine-model.ts'
import { type Calls, callsOf } from './http/calls.ts'
import type { Gesture } from './dom/gestures.ts'
import type { Screen } from './screen.tsx'
import type { SentenceTable } from '../sentences.ts'
import { sentences } from './dom/sentences.ts'

/** What a page shows, by the rows of its table, with `says` and `offers`. */
type TableSeen = Readonly<Record<string, Plain>>

/** One row: how a property follows from the machine's state, and where it is read on the page. */
interface Reading<View, T extends Plain = Plain> {
  model(view: View): T
  screen(): T
}

/** One gesture per event of a machine: a new event without one does not compile. */
type GestureTable<Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: Gesture | ((event: Extract<Event, { type: T }>) => Gesture)
}

/** What stands around the page: how it is mounted, and what it does besides calls. A fresh one for each path. */
export interface Host extends Pick<
  Screen<unknown>,
  'mount' | 'background' | 'reply' | 'end' | 'takeEffects' | 'readsEffects'
> {
  /** Runs before each gesture, which follows when the screen has come to rest. */
  before?(step: UserStep): void
}

/** A driver of a page as a table. `View` is what the rows read: plain data derived from the machine's state. */
export interface WebTable<Snapshot, Event extends { readonly type: string }, View> {
  readonly model: MachineModel
  /** Changes of the model where the page differs from the bare machine: starts, samples, outcomes. */
  adapt?(spec: Spec<unknown>): Partial<Spec<unknown>>
  view(snapshot: Snapshot, left: Left): View
  /** The page is gone; nothing else is compared then. */
  readonly isGone?: Reading<View, boolean>
  readonly readings: Readonly<Record<string, Reading<View>>>
  /** Sentences of the catalogue, and when the page shows them. */
  readonly says: SentenceTable<View>
  /** The language of the page; Chinese when left out. */
  language?(): Locale
  readonly gestures: GestureTable<Event>
  /** Where each concern has a page of its own: only the samples of the concern are offered. */
  readonly offers?: 'of the concern'
  /** Events that the machine takes although the page has no gesture for them. */
  hidden?(snapshot: Snapshot, event: Event): boolean
  readonly calls: Calls
  host(): Host
}

/** A machine on a page, as `gateWeb` and the path runner take it. */
export interface WebDriver<Seen = TableSeen> {
  readonly model: MachineModel
  onScreen(spec: Spec<unknown>): Spec<Seen>
  makeScreen(): Screen<Seen>
}

/** Makes a driver of its table: the model as it is seen on the page, and the page itself. */
export function webDriverOf<Snapshot, Event extends { readonly type: string }, View>(
  table: WebTable<Snapshot, Event, View>,
): WebDriver {
  const said = sentences(table.says, table.language)
  const offers = samplesOf(table.model, table.adapt).flatMap(({ label, event }) => {
    const gesture = gestureFor(table, event)
    return gesture.isOffered === undefined ? [] : [{ label, event, gesture }]
  })
  const isCovered = (snapshot: AnyMachineSnapshot, event: EventObject) =>
    table.hidden?.(snapshot as Snapshot, event as unknown as Event) === true
  return {
    model: table.model,
    onScreen: (spec) => {
      const isCompared = comparedIn(table, spec)
      return {
        ...spec,
        ...table.adapt?.(spec),
        hidden: isCovered,
        project: (snapshot, left): TableSeen => {
          const view = table.view(snapshot as Snapshot, left)
          if (table.isGone?.model(view) === true) return { gone: true }
          const may = offers.filter(
            ({ label, event }) =>
              isCompared(label) && snapshot.can(event) && !isCovered(snapshot, event),
          )
          return {
            ...mapValues(table.readings, (row) => row.model(view)),
            says: said.expected(view),
            offers: may.map(({ label }) => label).join(),
          }
        },
      }
    },
    makeScreen: () => {
      const { before, ...host } = table.host()
      return {
        ...host,
        callOf: callsOf(table.calls),
        user: (step, held) => {
          const { run } = gestureFor(table, step.event)
          if (before === undefined) return run(held)
          before(step)
          return () => run(held)
        },
        read: (): TableSeen =>
          table.isGone?.screen() === true
            ? { gone: true }
            : {
                ...mapValues(table.readings, (row) => row.screen()),
                says: said.shown(),
                offers: offers
                  .filter(({ gesture }) => gesture.isOffered?.() === true)
                  .map(({ label }) => label)
                  .join(),
              },
      }
    },
  }
}

function gestureFor<S, E extends { readonly type: string }, V>(
  { gestures }: WebTable<S, E, V>,
  event: EventObject,
): Gesture {
  const row = gestures[event.type as E['type']] as Gesture | ((event: EventObject) => Gesture)
  return typeof row === 'function' ? row(event) : row
}

function comparedIn<S, E extends { readonly type: string }, V>(
  { offers, adapt }: WebTable<S, E, V>,
  spec: Spec<unknown>,
): (label: string) => boolean {
  const own = new Map(samplesIn({ ...spec, ...adapt?.(spec) }))
  return (label) => offers === undefined || own.has(label)
}
