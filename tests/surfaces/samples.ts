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
export function samplesOf(
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

export function mapValues<In, Out>(
  from: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]))
}
