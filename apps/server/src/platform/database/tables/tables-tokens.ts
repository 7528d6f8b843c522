// Tokens of programs (migration 0087), the mark of the folder of files (0088) and proposals of agents (0089).
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

interface AgentProposalRow {
  tenant_id: string
  id: string
  user_id: string
  /** The token; null for a program that called with the person's session. */
  program_id: string | null
  agent: string
  kind: string
  tag: string
  /** The act as JSON. */
  act: string
  count: number
  state: string
  create_time: Moment
  expires_at: Moment
  ended_at: MaybeMoment
  /** The call that confirmed it. */
  confirmed_by: string | null
}

export interface TokenTables {
  'sys.agent_proposal': AgentProposalRow
  'sys.api_token': ApiTokenRow
  'sys.file_folder': { id: string }
}
