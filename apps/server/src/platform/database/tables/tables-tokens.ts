// Tokens of programs (migration 0087) and the mark of the folder of files (0088).
import type { ColumnType } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type MaybeMoment = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

interface ApiTokenRow {
  tenant_id: string
  id: string
  user_id: string
  name: string
  token_hash: string
  /** Tags; empty: all that the person may. */
  entities: string[]
  rights: string[]
  per_second: number
  create_time: Moment
  expires_at: Moment
  used_at: MaybeMoment
  revoked_at: MaybeMoment
}

export interface TokenTables {
  'sys.api_token': ApiTokenRow
  'sys.file_folder': { id: string }
}
