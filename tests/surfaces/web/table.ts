import type { ApiProblem } from '@jiaowu/api/problem'
import type { Locale } from '@jiaowu/api/locale'
import type { Left, UserStep } from '@jiaowu/path-tests'
import type { ReactElement } from 'react'
import type { AnyMachineSnapshot, EventObject } from 'xstate'
import type { MachineModel } from '../../machines/machine-model.ts'
import type { Spec } from '../../machines/spec.ts'
import { mapValues, samplesIn, listScreenSamples } from '../samples.ts'
import { listSentences, type SentenceTable } from '../sentences.ts'
import type { EventOf, Shown, TableSeen, Typed, TypeOf, ViewOf } from '../shown.ts'
import {
  dismissToasts,
  type EffectLog,
  effectLog,
  type Toasts,
  watchStorage,
} from './dom/effects.ts'
import type { Gesture } from './dom/gestures.ts'
import type { Reading } from './dom/reads.ts'
import { sentences } from './dom/sentences.ts'
import { type Calls, createCallFinder } from './http/calls.ts'
import { wrapData, type HeldFetch } from './http/held-fetch.ts'
import { inConsole, type Screen } from './screen.tsx'

export type { Shown }

/** One gesture per event of a machine: a new event without one does not compile. */
type GestureTable<E> = {
  readonly [T in TypeOf<E>]: Gesture | ((event: Typed<E, T>) => Gesture)
}
/** When the page has no control for an event that the machine takes; true: never one. */
export type Hidden<V extends ViewOf, E = EventOf<V>> = {
  readonly [T in TypeOf<E>]?: true | ((view: Shown<V>, event: Typed<E, T>) => boolean)
}

/**
 * The surroundings of the page: how it is mounted, and what it does besides calls. A fresh one for
 * each path.
 */
export interface Host extends Partial<
  Pick<Screen<unknown>, 'mount' | 'background' | 'reply' | 'end' | 'takeEffects' | 'readsEffects'>
> {
  /** The page for this start of the machine, in the console; `mount` is for more than an element. */
  show?(start: string, held: HeldFetch): ReactElement
  /** Releases what `show` changed outside of React. */
  stop?(): void
  /** Calls that are answered with a file. */
  readonly files?: readonly string[]
  /** A key of the session's storage, and the effect of what is written under it (null: it is removed). */
  readonly stored?: readonly [key: string, effectOf: (value: string | null) => object]
  /** Runs before each gesture, which follows when the screen has come to rest. */
  before?(step: UserStep): void
}

/**
 * Tells whether a machine's view is at one of these steps: `const at = createStepTest<View>()`, then
 * `at('done', 'failed')`.
 */
export function createStepTest<View extends { readonly step: string }>() {
  return (...steps: readonly View['step'][]) =>
    ({ step }: View): boolean =>
      steps.includes(step)
}

/** A driver of a page as a table. */
export interface WebTable<V extends ViewOf> {
  readonly model: MachineModel
  /** Changes of the model where the page differs from the bare machine: starts, samples, outcomes. */
  adapt?(spec: Spec<unknown>): Partial<Spec<unknown>>
  /** The machine's view. */
  readonly view: V
  /** The page is gone; nothing else is compared then. */
  readonly isGone?: Reading<Shown<V>, boolean>
  readonly readings: Readonly<Record<string, Reading<Shown<V>>>>
  /** Sentences of the catalogue, and when the page shows them. */
  readonly says: SentenceTable<Shown<V>>
  /** The language of the page; Chinese when left out. */
  language?(): Locale
  readonly gestures: GestureTable<EventOf<V>>
  /** Where each concern has a page of its own: only the samples of the concern are offered. */
  readonly offers?: 'of the concern'
  /** Events that the machine takes although the page has no control for them. */
  readonly hidden?: Hidden<V>
  /** The same of events of any type: what stands before the page takes its input. */
  covered?(view: Shown<V>, event: EventOf<V>): boolean
  /** The concerns of the model, too, say what no path does. */
  readonly isBounded?: true
  readonly calls: Calls
  /** Toasts that are compared as effects; left out: any is the event `toast` with its text. */
  readonly toasts?: Toasts
  host(effects: EffectLog): Host
}

/** A machine on a page, as `gateWeb` and the path runner take it. */
export interface WebDriver {
  readonly model: MachineModel
  onScreen(spec: Spec<unknown>): Spec<TableSeen>
  /** The sentences of its table that the page shows, for a person who compares them. */
  listSays(snapshot: AnyMachineSnapshot, left: Left, locale: Locale): readonly string[]
  makeScreen(): Screen<TableSeen>
}

/** Makes a driver of its table: the model as it is seen on the page, and the page itself. */
export function createWebDriver<V extends ViewOf>(table: WebTable<V>): WebDriver {
  const said = sentences(table.says, table.language)
  const offers = listScreenSamples(table.model, table.adapt).flatMap(({ label, event }) => {
    const gesture = gestureFor(table, event)
    return gesture.isOffered === undefined ? [] : [{ label, event, gesture }]
  })
  const isHidden = hiddenIn(table)
  return {
    model: table.model,
    onScreen: (spec) => {
      const isCompared = comparedIn(table, spec)
      return {
        ...spec,
        ...table.adapt?.(spec),
        hidden: (s, event) =>
          isHidden(s, event) || (table.isBounded === true && spec.hidden?.(s, event) === true),
        project: (snapshot, left): TableSeen => {
          const view = buildShownView(table, snapshot, left)
          if (table.isGone?.model(view) === true) return { gone: true }
          const may = offers.filter(
            ({ label, event }) =>
              isCompared(label) && snapshot.can(event) && !isHidden(snapshot, event),
          )
          return {
            ...mapValues(table.readings, (row) => row.model(view)),
            says: said.expected(view),
            offers: may.map(({ label }) => label).join(),
          }
        },
      }
    },
    listSays: (snapshot, left, locale) => {
      const view = buildShownView(table, snapshot, left)
      return table.isGone?.model(view) === true ? [] : listSentences(table.says, view, locale)
    },
    makeScreen: () => ({
      ...createWebScreen(table),
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
    }),
  }
}

function buildShownView<V extends ViewOf>(
  { view }: WebTable<V>,
  s: AnyMachineSnapshot,
  left: Left,
): Shown<V> {
  return { ...view(s as never), s, c: s.context as unknown, left } as unknown as Shown<V>
}

function hiddenIn<V extends ViewOf>(table: WebTable<V>) {
  const { hidden = {}, covered } = table
  type Hides = true | ((view: Shown<V>, event: EventObject) => boolean)
  const views = new WeakMap<AnyMachineSnapshot, Shown<V>>()
  const viewAt = (s: AnyMachineSnapshot) => {
    const view = views.get(s) ?? buildShownView(table, s, () => null)
    views.set(s, view)
    return view
  }
  return (s: AnyMachineSnapshot, event: EventObject): boolean => {
    const hides = (hidden as Readonly<Record<string, Hides | undefined>>)[event.type]
    return (
      hides === true ||
      hides?.(viewAt(s), event) === true ||
      covered?.(viewAt(s), event as never) === true
    )
  }
}

/** The page, without what is read of it. */
function createWebScreen<V extends ViewOf>(table: WebTable<V>): Omit<Screen<TableSeen>, 'read'> {
  const effects = effectLog(table.toasts)
  const host = table.host(effects)
  const { show, stop, files = [], before } = host
  return {
    background: () => wrapData(null),
    takeEffects: effects.take,
    mount: (start, held) => {
      const shown = show?.(start, held)
      const storage = watchHostStorage(host, effects)
      return {
        element: inConsole(held, shown),
        stop: () => {
          storage?.stop()
          stop?.()
        },
      }
    },
    ...host,
    callOf: createCallFinder(table.calls),
    end: (held, port, outcome) => {
      if (host.end?.(held, port, outcome) === true) return true
      if (!files.includes(port)) return false
      held.finish(port, outcome.ok ? undefined : (outcome.error as ApiProblem))
      return true
    },
    user: (step, held) => {
      const { run } = gestureFor(table, step.event)
      const isChanged = dismissToasts()
      if (before === undefined && !isChanged) return run(held)
      before?.(step)
      return () => run(held)
    },
  }
}

function watchHostStorage({ stored }: Host, effects: EffectLog): { stop(): void } | undefined {
  if (stored === undefined) return undefined
  const [key, effectOf] = stored
  return watchStorage(key, (value) => effects.add(effectOf(value)))
}

function gestureFor<V extends ViewOf>({ gestures }: WebTable<V>, event: EventObject): Gesture {
  const row = (gestures as Readonly<Record<string, Gesture | ((event: EventObject) => Gesture)>>)[
    event.type
  ]
  if (row === undefined) throw new Error(`no gesture for ${event.type}`)
  return typeof row === 'function' ? row(event) : row
}

function comparedIn<V extends ViewOf>(
  { offers, adapt }: WebTable<V>,
  spec: Spec<unknown>,
): (label: string) => boolean {
  const own = new Map(samplesIn({ ...spec, ...adapt?.(spec) }))
  return (label) => offers === undefined || own.has(label)
}
