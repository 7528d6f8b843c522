// The row ledger: the verdict of every row, kept until the job is deleted.
import { sql } from 'kysely'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { JobKey, LedgerRow, RowFault, Verdict, WritableRow } from './job.ts'

const columns = sql`row_no, verdict, row_id, version, payload, before, name, errors, tidied`

/** The rows of a job; `alias` of the table, with its dot. */
function matchJobRows({ tenant_id, id }: JobKey, alias = sql``) {
  return sql`${alias}tenant_id = ${tenant_id}::int8 and ${alias}job_id = ${id}::int8`
}

/** One JSON document per chunk: arrays of texts would escape every payload a second time. */
export async function saveRows(
  db: AnyDatabase,
  job: JobKey,
  rows: readonly LedgerRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into sys.job_row (tenant_id, job_id, ${columns})
    select ${job.tenant_id}::int8, ${job.id}::int8, ${columns}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as u(row_no int4, verdict text, row_id text, version text, payload jsonb, before jsonb,
        name text, errors jsonb, tidied jsonb)`.execute(db)
}

/** Puts new verdicts in place of the rows with these numbers. */
export async function replaceRows(
  db: AnyDatabase,
  job: JobKey,
  rows: readonly LedgerRow[],
): Promise<void> {
  await sql`delete from sys.job_row where ${matchJobRows(job)}
    and row_no = any(${rows.map(({ row_no }) => row_no)}::int4[])`.execute(db)
  await saveRows(db, job, rows)
}

/** Rows by verdict, as the job counts them. */
export async function verdictCounts(
  db: AnyDatabase,
  job: JobKey,
): Promise<Record<'fresh' | 'changed' | 'same' | 'wrong', number>> {
  const { rows } = await sql<{ verdict: Verdict; n: string | number }>`
    select verdict, count(*) as n from sys.job_row where ${matchJobRows(job)} group by verdict`.execute(
    db,
  )
  const count = (verdict: Verdict) => Number(rows.find((row) => row.verdict === verdict)?.n ?? 0)
  return { fresh: count('f'), changed: count('c'), same: count('s'), wrong: count('w') }
}

export async function clearRows(db: AnyDatabase, job: JobKey): Promise<void> {
  await sql`delete from sys.job_row where ${matchJobRows(job)}`.execute(db)
}

/** The next rows to write, in the order of the sheet. */
export async function rowsToWrite(
  db: AnyDatabase,
  job: JobKey,
  after: number,
  count: number,
): Promise<WritableRow[]> {
  const { rows } = await sql<WritableRow>`
    select row_no, verdict, row_id, version, payload from sys.job_row
    where ${matchJobRows(job)} and row_no > ${after}::int4 and verdict in ('f', 'c')
    order by row_no limit ${count}`.execute(db)
  return rows
}

/** All rows with numbers between two, whatever their verdict. */
export async function rowsBetween(
  db: AnyDatabase,
  job: JobKey,
  from: number,
  to: number,
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ${columns} from sys.job_row
    where ${matchJobRows(job)} and row_no between ${from}::int4 and ${to}::int4 order by row_no`.execute(
    db,
  )
  return rows
}

export async function rowsOfVerdict(
  db: AnyDatabase,
  job: JobKey,
  verdict: Verdict,
  size: number,
  offset: number,
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ${columns} from sys.job_row where ${matchJobRows(job)} and verdict = ${verdict}
    order by row_no limit ${size} offset ${offset}`.execute(db)
  return rows
}

/** Marks rows as wrong that the write phase found. */
export async function markRowsWrong(
  db: AnyDatabase,
  job: JobKey,
  faults: ReadonlyMap<number, readonly RowFault[]>,
): Promise<void> {
  if (faults.size === 0) return
  await sql`
    update sys.job_row as r set verdict = 'w', errors = u.errors::jsonb
      from unnest(${[...faults.keys()]}::int4[],
      ${[...faults.values()].map((list) => JSON.stringify(list))}::text[]) as u(row_no, errors)
    where ${matchJobRows(job, sql`r.`)} and r.row_no = u.row_no`.execute(db)
}

/** Stores ids that the table generated for new rows. */
export async function storeNewIds(
  db: AnyDatabase,
  job: JobKey,
  ids: ReadonlyMap<number, string>,
): Promise<void> {
  if (ids.size === 0) return
  await sql`
    update sys.job_row as r set row_id = u.id
      from unnest(${[...ids.keys()]}::int4[], ${[...ids.values()]}::text[]) as u(row_no, id)
    where ${matchJobRows(job, sql`r.`)} and r.row_no = u.row_no`.execute(db)
}
