import type { EntryAddition, EntryState } from '@jiaowu/api/contract/entity/entry'
import type { Values } from '@jiaowu/api/entity/values'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** The ids of the values that name a sheet, by attrName. */
export type EntryBy = Readonly<Record<string, string>>

/** @public Declarations of the machine's type name it. */
export interface SheetQuestion {
  readonly tag: string
  readonly by: EntryBy
}
/** The calls `entry.read`, `entry.submit`, `entry.unlock` and `entry.add`; all but the first reject with 409. */
export interface EntryPorts {
  readonly readEntry: Port<SheetQuestion, EntryState>
  readonly submitEntry: Port<SheetQuestion & { readonly entered: number }, EntryState>
  readonly unlockEntry: Port<SheetQuestion & { readonly reason: string }, EntryState>
  /** Adds a row for each record with these values that the sheet has none of. */
  readonly addRows: Port<SheetQuestion & { readonly from: Values }, EntryAddition>
}
export function entryActors(ports: EntryPorts): ActorsOf<EntryPorts> {
  return createPortActors(ports, ['readEntry', 'submitEntry', 'unlockEntry', 'addRows'])
}
