import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Statements that may read rows of all schools. */
interface Exception {
  /** A part of the text, without quotes around names and with single spaces. */
  readonly statement: string
  readonly reason: string
}

export const exceptions: readonly Exception[] = [
  {
    statement: 'declare backup_rows no scroll cursor for select',
    reason: 'a backup reads whole tables',
  },
  {
    statement: `as at from sys.job where status = 'queued'`,
    reason: 'finds the next job; the claim names its school',
  },
  {
    statement: `select distinct tenant_id::text as tenant, status = 'queued' as queued from sys.job`,
    reason: 'finds the schools with interrupted and with queued jobs; each is recovered by itself',
  },
  {
    statement: 'select id, tenant_id, next_at from sys.pay_outbox where done_at is null and',
    reason: 'finds the next calls to the provider; each claim names its school',
  },
  {
    statement: 'select id, tenant_id from sys.notice_task where done_at is null and',
    reason: 'finds the next notices to send; each claim names its school',
  },
  {
    statement: 'select id, tenant_id from sys.flow_timer where done_at is null and',
    reason: 'finds the next timers; each claim names its school',
  },
  {
    statement: 'select id, tenant_id from sys.flow_proof where done_at is null and',
    reason: 'finds the next proofs; each claim names its school',
  },
  {
    statement: 'select id, tenant_id from sys.hook_delivery where done_at is null and',
    reason: 'finds the next calls of hooks; each claim names its school',
  },
  {
    statement: 'select id, tenant_id, order_no from biz.print_order where state in (',
    reason: 'finds orders that expire; each is closed in its own school',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from biz.student',
    reason: 'a change of the key of personal data reaches every row, also of a school that is gone',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.row_history',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.document',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.order_content',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.totp',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.hook',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.sso_session',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.sso_attempt',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.job_row',
    reason: 'as above',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.job_cell',
    reason: 'as above',
  },
  { statement: `'doctor' as by`, reason: 'the doctor looks at the database as a whole' },
  {
    statement: 'select tag, tenant_id, version, definition from sys.entity',
    reason: 'the registry holds the definitions of all schools, which are a shared table',
  },
  {
    statement: `coalesce(max(update_time)::text, '') as stamp from sys.entity`,
    reason: 'tells whether the registry is still up to date',
  },
  {
    statement: 'select tag, definition from sys.entity_revision',
    reason: 'a change of the key of personal data converts every school',
  },
  {
    statement: 'from sys.audit_check where broken is not null',
    reason: 'a figure for /metrics',
  },
  { statement: 'select figure.* from (', reason: 'figures for /metrics' },
  { statement: 'min(checked_at) as at from sys.audit_check', reason: 'a figure for /metrics' },
  {
    statement: 'select tenant_id::text as id from sys.audit_chain union',
    reason: 'lists the chains, each of which is verified by itself',
  },
  {
    statement: 'or exists (select 1 from sys.tenant s join',
    reason:
      'tells whether a table from elsewhere holds numbers of schools, before it is one of schools',
  },
  {
    statement: 'from sys.audit_chain c left join sys.audit_delivery d',
    reason: 'finds the chains with lines to deliver; each is sent by itself',
  },
  {
    statement: 'as others from',
    reason: 'a column or table is dropped only where no other school has values in it',
  },
  {
    statement: 'as mine from sys.table_change',
    reason: 'the columns of a table are changed by the school that made it',
  },
  {
    statement: 'select count(distinct tenant_id) as schools from sys.entity',
    reason: 'tells whether other schools have lists of a table, before it is changed',
  },
  {
    statement: 'sys.audit_log where number is null',
    reason: 'the chain from before migration 0015 is one over all schools',
  },
]

/** The exception that covers a text, if any. */
export function exceptionFor(text: string): Exception | undefined {
  const plain = plainText(text)
  return exceptions.find(({ statement }) => plain.includes(statement))
}

/** The file in which all processes of a whole test run note the exceptions that they needed. */
export const usesVariable = 'STATEMENT_EXCEPTION_USES'

const noted = new Set<Exception>()
export function noteUse(exception: Exception): void {
  const file = process.env[usesVariable]
  if (file === undefined || noted.has(exception)) return
  noted.add(exception)
  appendFileSync(file, `${exceptions.indexOf(exception)}\n`)
}

/** The exceptions that no statement of the run needed. They should be removed from the list. */
export function unusedExceptions(file: string): readonly string[] {
  const uses = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return exceptions.flatMap(({ statement }, index) =>
    uses.includes(String(index)) ? [] : [statement],
  )
}

/** Single spaces, no quotes around names. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('"', '').trim()
}

/** Folders whose statements read all schools by nature. */
export const exemptFolders: readonly string[] = [
  // Before the server starts, on a database that is not spread yet or by an operator.
  'platform/database/migrations/',
  // Whole databases, by an operator.
  'platform/backup/',
]
