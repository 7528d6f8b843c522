import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row, Values } from '@jiaowu/api/entity/values'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** The data a form opens with. `now` as `YYYY-MM-DD HH:mm:ss`, by the clock of the surface. */
export interface FormData {
  readonly config: EntityConfig
  readonly row: Row | null
  readonly now: string
  /** The id made for a new record when its form opened (docs/rules/contract.md#creates). */
  readonly newId?: string
  /** The record that the new one copies. */
  readonly copied?: Row | null
}
export interface SaveInput {
  readonly tag: string
  readonly id: string | null
  readonly values: Values
  readonly version: number | string | null
  /** The id of a new record, or the key of the request where the database makes the ids. */
  readonly newId?: string
}

export interface EntityFormPorts {
  readonly loadForm: Port<
    { readonly tag: string; readonly id: string | null; readonly copyOf?: string },
    FormData
  >
  readonly saveRow: Port<SaveInput, Row>
}

export function entityFormActors(ports: EntityFormPorts): ActorsOf<EntityFormPorts> {
  return createPortActors(ports, ['loadForm', 'saveRow'])
}
