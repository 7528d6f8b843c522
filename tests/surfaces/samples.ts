import type { EventObject } from 'xstate'
import type { MachineModel } from '../machines/machine-model.ts'
import type { Spec } from '../machines/spec.ts'

/** A value that a row of a driver's table reads. */
export type Plain = string | number | boolean | null

interface Sample {
  readonly label: string
  readonly event: EventObject
}

/** Every sample of every concern, so that each screen is asked for all of them. */
export function listScreenSamples(
  { parts }: MachineModel,
  adapt: ((spec: Spec<unknown>) => Partial<Spec<unknown>>) | undefined,
): readonly Sample[] {
  const found = Object.values(parts).flatMap((part) => samplesIn({ ...part, ...adapt?.(part) }))
  return [...new Map(found).entries()].map(([label, event]) => ({ label, event }))
}

export function samplesIn({ events }: Spec<unknown>): [label: string, event: EventObject][] {
  return Object.entries(events).flatMap(([type, cases]) =>
    Object.entries(cases).map(([name, payload]): [string, EventObject] => [
      name === 'bare' ? type : `${type}(${name})`,
      { ...payload, type },
    ]),
  )
}

/** The samples of a concern with others in their place, for the events of which it has any. */
export function replaceSamples(
  events: Spec<unknown>['events'],
  samples: Readonly<Record<string, object>>,
): Spec<unknown>['events'] {
  const has = (type: string) => Object.keys(events[type] ?? {}).length > 0
  const own = Object.entries(samples).filter(([type]) => has(type))
  return { ...events, ...(Object.fromEntries(own) as typeof events) }
}

/** The ways in which a call can end, with other answers where it succeeds. */
export function answering<Output>(cases: unknown, change: (output: Output) => unknown): never {
  type Case = { readonly ok: boolean; readonly output?: Output }
  return mapValues(cases as Readonly<Record<string, Case>>, (each) =>
    each.ok ? { ...each, output: change(each.output as Output) } : each,
  ) as never
}

export function mapValues<In, Out>(
  from: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]))
}
