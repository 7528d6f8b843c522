import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { reference, run, schoolTable } from '../columns.ts'

/** The tables with rows of schools as of this migration. Shared and foreign tables keep their keys. */
const tables = `
  biz.class biz.course biz.faculty biz.grade biz.major biz.print_order biz.report biz.student
  biz.teacher
  sys.api sys.app_user sys.application sys.area sys.attachment sys.audit_anchor sys.audit_chain
  sys.audit_check sys.audit_log sys.custom_sql_cut sys.custom_value sys.document
  sys.document_order sys.entitlement sys.file_ticket sys.idempotency_key sys.import_memory sys.job
  sys.job_row sys.list_layout sys.list_view sys.menu sys.message sys.notice sys.org
  sys.pay_discrepancy sys.pay_outbox sys.payment sys.refund sys.role sys.role_permission
  sys.role_table_rule sys.row_history sys.serial_counter sys.session sys.sms_code sys.sms_task
  sys.sms_template sys.station`
  .trim()
  .split(/\s+/)

interface Constraint {
  readonly table: string
  readonly name: string
  /** As in `alter table … add constraint name …`. */
  readonly definition: string
}
interface Reference extends Constraint {
  readonly target: string
  readonly columns: string
  /** Both tables are in the list, and deleting clears no column, which would clear the school. */
  readonly own: boolean
}

/**
 * Every unique and foreign key of a school's table begins with the school, so that rows of a school
 * can be kept together on one node, and a reference cannot lead to another school.
 *
 * The statements come from the catalog. Each table is locked until the migration ends. A rebuilt key reads its table
 * once, a foreign key joins two tables once: measured with 1,000,000 grades, see docs/rules/database.md.
 */
export const schoolKeysMigration: Migration = {
  name: '0018-school-keys',
  up: async (db) => {
    await run(db, jobRows)
    const references = await readReferences(db)
    await run(
      db,
      references.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    )
    await run(db, (await readKeys(db)).map(rebuiltKey))
    await run(db, (await readIndexes(db)).flatMap(rebuiltIndex))
    for (const each of references)
      if (each.own) await addOwn(db, each)
      else await addForeign(db, each)
    await run(db, [jobOfRow])
  },
}

/** Copied rather than updated, which would leave a dead row for each. */
const jobRows = [
  'alter table sys.job_row rename to job_row_before',
  'alter table sys.job_row_before rename constraint job_row_pkey to job_row_before_pkey',
  'drop index sys.sys_job_row_verdict_idx',
  schoolTable(
    'sys.job_row',
    'job_id, row_no',
    `job_id bigint not null, row_no integer not null, verdict char(1) not null, row_id text,
      version text, payload jsonb, before jsonb, name text, errors jsonb`,
  ),
  `insert into sys.job_row (tenant_id, job_id, row_no, verdict, row_id, version, payload, before,
      name, errors)
    select j.tenant_id, r.job_id, r.row_no, r.verdict, r.row_id, r.version, r.payload, r.before,
      r.name, r.errors
    from sys.job_row_before r join sys.job j on j.id = r.job_id`,
  'drop table sys.job_row_before',
  `create index sys_job_row_verdict_idx on sys.job_row (tenant_id, job_id, verdict, row_no)`,
]
const jobOfRow = `alter table sys.job_row add constraint job_row_job_id_fkey
  ${reference('job_id', 'sys.job')} on delete cascade`

/** Foreign keys that lead to a table of the list. */
async function readReferences(db: Kysely<unknown>): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select k.conrelid::regclass::text as "table", quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition, k.confrelid::regclass::text as target,
      (select string_agg(quote_ident(a.attname), ', ' order by c.nth)
        from unnest(k.confkey) with ordinality as c(number, nth)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.number) as columns,
      k.conrelid = any(${tables}::text[]::regclass[]) and k.confdeltype not in ('n', 'd')
        and k.confupdtype not in ('n', 'd') as own
    from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0 and k.confrelid = any(${tables}::text[]::regclass[])
    order by k.conrelid::regclass::text, k.conname`.execute(db)
  return rows
}

async function readKeys(db: Kysely<unknown>): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`
    select k.conrelid::regclass::text as "table", quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'tenant_id'
    where k.contype in ('p', 'u') and k.conrelid = any(${tables}::text[]::regclass[])
      and k.conkey[1] <> a.attnum
    order by 1, 2`.execute(db)
  return rows
}

/** In one statement, so that the table is rewritten in no moment without its key. */
function rebuiltKey({ table, name, definition }: Constraint): string {
  return `alter table ${table} drop constraint ${name}, add constraint ${name} ${definition.replace(
    '(',
    '(tenant_id, ',
  )}`
}

/** Unique indexes that belong to no constraint. */
async function readIndexes(db: Kysely<unknown>) {
  const { rows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'tenant_id'
    where i.indisunique and i.indrelid = any(${tables}::text[]::regclass[])
      and i.indkey[0] <> a.attnum
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
    order by 1`.execute(db)
  return rows
}

function rebuiltIndex({ name, definition }: { name: string; definition: string }): string[] {
  return [`drop index ${name}`, definition.replace(/(USING \w+ \()/, '$1tenant_id, ')]
}

/** A row that refers to another school keeps doing so; new rows cannot. */
async function addOwn(db: Kysely<unknown>, { table, name, definition }: Reference): Promise<void> {
  const widened = definition
    .replace(/(FOREIGN KEY \()/, '$1tenant_id, ')
    .replace(/(REFERENCES [^(]+\()/, '$1tenant_id, ')
    .replace(/ NOT VALID$/, '')
  await run(db, [
    `alter table ${table} add constraint ${name} ${widened} not valid`,
    'savepoint school_keys',
  ])
  try {
    await run(db, [`alter table ${table} validate constraint ${name}`])
  } catch {
    await run(db, ['rollback to savepoint school_keys'])
  }
  await run(db, ['release savepoint school_keys'])
}

/** The reference of a table that others have added needs the key it was made with. */
async function addForeign(
  db: Kysely<unknown>,
  { table, name, definition, target, columns }: Reference,
): Promise<void> {
  await run(db, [
    `create unique index if not exists ${target.replace(/^.*\./, '')}_referenced_${columns.replace(/\W+/g, '_')}
      on ${target} (${columns})`,
    `alter table ${table} add constraint ${name} ${definition}`,
  ])
}
