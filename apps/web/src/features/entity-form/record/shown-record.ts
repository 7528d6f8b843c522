import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'

/** A record as its form has read it. */
export interface ShownRecord {
  readonly config: EntityConfig
  readonly row: Row
  readonly name: string | null
}
