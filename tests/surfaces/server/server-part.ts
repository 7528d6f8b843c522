import type { AnyMachineSnapshot, EventObject } from 'xstate'
import type { Clock } from '@jiaowu/path-tests'
import type { MachineModel } from '../../machines/machine-model.ts'
import type { Spec } from '../../machines/spec.ts'
import { mapParts } from '../parts.ts'
import type { Calls } from './endings.ts'
import type { Fixtures } from './fixtures.ts'
import type { AnyCalls, RealPorts, Stage } from './server-driver.ts'
import type { Subject } from './subject.ts'

/**
 * One concern of a machine on a real server: the model with that server's data, and a fresh
 * environment per path.
 */
export interface ServerPart {
  readonly spec: Spec<unknown>
  readonly calls: AnyCalls
  stage(): Promise<Stage>
}
type Parts = Readonly<Record<string, ServerPart>>
export type ServerParts = (fixtures: Fixtures) => Parts | Promise<Parts>

type Samples = Readonly<Record<string, Readonly<Record<string, object>>>>
type Start = (clock: Clock) => unknown

/** A machine on a real server: what its calls are answered, and the concerns that are walked. */
export interface ServerForm<Ports> {
  /** The machine's own model; its first concern has what is not said here. */
  readonly model: MachineModel
  readonly ports: Ports
  readonly calls: Calls<Ports>
  /** The user whose session the calls use; without one each scene has its own. */
  readonly subject?: Subject
  /** Samples of the events that carry data of this run; the others are the model's. */
  readonly samples?: Samples
  /** Without it the model's own. */
  readonly key?: (snapshot: AnyMachineSnapshot) => readonly unknown[]
  /** `start` and `ends` of the concerns that do not say their own. */
  readonly start?: Concern['start']
  readonly ends?: Concern['ends']
  readonly parts: Readonly<Record<string, Concern>>
  /** Runs before each path and after it. */
  before?(): Promise<unknown>
  after?(): Promise<unknown>
  /** Replaces the names of rows in samples by the ids that they have now. */
  translate?(event: EventObject): EventObject
}

interface Concern {
  /** The machine's input, or several by name; without it the model's. */
  readonly start?: Start | Readonly<Record<string, Start>>
  /** As recipes write them, `job.run, view.open(a, plain)`: without samples all. Without it all. */
  readonly events?: string
  /** `saveView(saved, stale)`; calls that are not named keep all their endings. */
  readonly ends?: string
  readonly eventsIn?: Spec<unknown>['eventsIn']
  /** Runs before each path of this concern, after that of the machine. */
  before?(): Promise<unknown>
}

/** The concerns of a machine, from its table. */
export function buildServerParts<Ports extends object>(form: ServerForm<Ports>): Parts {
  const { subject = null, before, after, translate = (event) => event } = form
  const ports = form.ports as RealPorts,
    calls = form.calls as AnyCalls
  return mapParts(form.parts, (part) => ({
    spec: buildServerSpec(form, part),
    calls,
    stage: async () => {
      await before?.()
      await part.before?.()
      return { ports, calls, subject, translate, end: async () => after?.() }
    },
  }))
}

function buildServerSpec<Ports extends object>(
  { model, ports, calls, samples, key, ...usual }: ServerForm<Ports>,
  { start = usual.start, events, ends = '', eventsIn = () => ({}) }: Concern,
): Spec<unknown> {
  const [base] = Object.values(model.parts)
  if (base === undefined) throw new Error('a model without a concern')
  const chosen = casesIn(`${usual.ends ?? ''}, ${ends}`)
  for (const port of chosen.keys()) if (!(port in ports)) throw new Error(`no call ${port}`)
  return {
    ...base,
    unhandled: [],
    input: start ?? base.input,
    events:
      events === undefined
        ? { ...base.events, ...samples }
        : chosenEvents({ ...samplesIn(model), ...samples }, events),
    eventsIn,
    outcomes: Object.fromEntries(
      Object.keys(ports).map((port) => [
        port,
        pickOutcomes((calls as AnyCalls)[port] ?? {}, chosen.get(port) ?? null),
      ]),
    ),
    key: key === undefined ? base.key : (snapshot) => JSON.stringify(key(snapshot)),
  }
}

/** The names in a text like `job.run, view.open(a, plain)`, each with its cases; null: all. */
function casesIn(text: string): ReadonlyMap<string, readonly string[] | null> {
  return new Map(
    [...text.matchAll(/([\w.]+)(?:\(([^)]*)\))?/g)].map(([, name = '', cases]) => [
      name,
      cases?.split(/,\s*/) ?? null,
    ]),
  )
}

/** The samples of all concerns of a model: each has those of its own events only. */
function samplesIn({ parts }: MachineModel): Samples {
  return Object.fromEntries(
    Object.values(parts).flatMap(({ events }) =>
      Object.entries(events).filter(([, cases]) => Object.keys(cases).length > 0),
    ),
  )
}

/** @throws for an event or sample that is unknown */
function chosenEvents(known: Samples, text: string): Samples {
  const caseOf = (type: string, name: string): [string, object] => {
    const sample = known[type]?.[name]
    if (sample === undefined) throw new Error(`no sample ${name} of ${type}`)
    return [name, sample]
  }
  return Object.fromEntries(
    [...casesIn(text)].map(([type, names]) => {
      const all = known[type]
      if (all === undefined) throw new Error(`no sample of ${type}`)
      return [
        type,
        names === null ? all : Object.fromEntries(names.map((name) => caseOf(type, name))),
      ]
    }),
  )
}

/** The outcomes of a call as the model needs them, by what is asked. */
function pickOutcomes(
  endings: AnyCalls[string],
  names: readonly string[] | null,
): Spec<unknown>['outcomes'][string] {
  const chosen = Object.entries(endings).filter(([name]) => names?.includes(name) ?? true)
  return (asked: never) =>
    Object.fromEntries(
      chosen.flatMap(([name, { sample }]) => {
        const outcome = sample(asked)
        return outcome === null ? [] : [[name, outcome]]
      }),
    )
}
