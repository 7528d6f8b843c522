import type { RememberedImport } from '@jiaowu/api/contract/job'
import type { ColumnType } from 'kysely'

interface ImportMemory {
  tenant_id: string
  user_id: string
  tag: string
  choices: ColumnType<RememberedImport, string, string>
  update_time: ColumnType<string, string | Date | undefined, string | Date>
}
/** The columns that housekeeping uses. Runs of jobs use plain SQL, see `entities/import/job.ts`. */
interface Job {
  id: string
  tenant_id: string
  kind: string
  file: ColumnType<{ storage: string } | null, string | null, string | null>
  status: string
  end_time: ColumnType<string | null, string | Date | null, string | Date | null>
  create_time: ColumnType<string, string | Date | undefined, string | Date>
  file_gone: ColumnType<boolean, boolean | undefined, boolean>
}

/** Tables of migration 0003. */
export interface JobTables {
  'sys.job': Job
  'sys.import_memory': ImportMemory
}
