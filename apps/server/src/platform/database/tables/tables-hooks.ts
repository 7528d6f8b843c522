// Rows of programs that are told of writes (migration 0082).
import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type MaybeMoment = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

interface HookRow {
  tenant_id: string
  id: string
  name: string
  url: string
  tag: string
  events: string[]
  /** Sealed. */
  secret: string
  create_user: string
  create_time: Moment
}
interface HookDeliveryRow {
  tenant_id: string
  id: string
  hook_id: string
  /** Id of the row on the wire. */
  row_key: string
  event: string
  /** The JSON that is sent. */
  content: string
  /** HTTP status of the last answer. */
  status: number | null
  create_time: Moment
  next_at: Moment
  leased_until: MaybeMoment
  attempts: Generated<number>
  done_at: MaybeMoment
  failure: string | null
}

export interface HookTables {
  'sys.hook': HookRow
  'sys.hook_delivery': HookDeliveryRow
}
