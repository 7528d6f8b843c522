// Turns jobs and ledger rows into the contract's shapes, in the language of the request.
import { cutText } from '@jiaowu/api/cut-text'
import type { Job, JobError, ReviewRow, RowVerdict } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { maskValue } from '@jiaowu/api/pii'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import { labelRows } from '../read/labels.ts'
import { type LoadedEntity, valueFields } from '../../model/definition/loaded.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { shownText } from '../sheets/cells.ts'
import { mayAddChoice } from './mending/new-choices.ts'
import {
  type ImportRecord,
  type JobBase,
  type LedgerRow,
  splitRowNumber,
  type RowFault,
  type Verdict,
} from '../jobs/job.ts'
import { rowsOfVerdict } from '../jobs/ledger.ts'
import { openValue } from './rows/payload.ts'
import { labelIn } from './rows/plan.ts'

const verdictNames = {
  f: 'fresh',
  c: 'changed',
  s: 'same',
  w: 'wrong',
} as const satisfies Record<Verdict, RowVerdict>
export const verdictCodes = {
  fresh: 'f',
  changed: 'c',
  same: 's',
  wrong: 'w',
} as const satisfies Record<RowVerdict, Verdict>

export function toJobError(
  locale: Locale,
  job: { readonly sheet?: ImportRecord['sheet'] },
  rowNo: number,
  { column, attrName, value, rule, message, suggestions }: RowFault,
  creatable: ReadonlySet<string> = new Set(),
): JobError {
  const msg = messageText(locale, message)
  return {
    ...shownPlace(job, rowNo),
    column,
    attrName,
    value,
    rule,
    msg:
      suggestions.length === 0
        ? msg
        : `${msg}${locale === 'en' ? '. ' : '。'}${t(locale, 'transfer.didYouMean', { items: suggestions.join(locale === 'en' ? ', ' : '、') })}`,
    suggestions: [...suggestions],
    ...(rule === 'choice' && attrName !== null && creatable.has(attrName)
      ? { creatable: true }
      : {}),
  }
}

/** The attrNames of wrong choices to which the caller may add what the file names. */
async function creatableIn(
  context: Context,
  entity: LoadedEntity | undefined,
  rows: readonly { readonly errors: readonly RowFault[] | null }[],
): Promise<ReadonlySet<string>> {
  const wrong = new Set(
    rows.flatMap(({ errors }) =>
      (errors ?? []).flatMap(({ rule, attrName }) => (rule === 'choice' ? [attrName] : [])),
    ),
  )
  const names: string[] = []
  for (const attrName of wrong) {
    const field = attrName === null ? undefined : entity?.field(attrName)
    if (field !== undefined && (await mayAddChoice(context, field)))
      names.push(field.definition.attrName)
  }
  return new Set(names)
}

/** The row's number in its sheet; the sheet's name where several are imported. */
function shownPlace(
  { sheet: info = null }: { readonly sheet?: ImportRecord['sheet'] },
  rowNo: number,
): { row: number; sheet?: string } {
  if (info === null) return { row: rowNo }
  const { sheet, row } = splitRowNumber(rowNo)
  const sheets = info.sheets ?? []
  return sheets.filter(({ chosen }) => chosen).length < 2
    ? { row }
    : { row, sheet: sheets[sheet]?.name ?? '' }
}

const time = (at: string | null): string | null => (at === null ? null : localTime(new Date(at)))

/** Lists the actions of the user on a job in this state. */
export function abilities(job: ImportRecord): Job['can'] {
  const { status, phase, options } = job
  const looked = status === 'done' && options.dryRun
  const mendable = status === 'failed' && phase === 'review'
  return {
    resume: !job.file_gone && (status === 'paused' || looked || mendable || status === 'failed'),
    cancel: ['queued', 'running', 'paused'].includes(status),
    result: !job.file_gone && job.total > 0 && !['queued', 'running'].includes(status),
    mend:
      !job.file_gone &&
      phase === 'review' &&
      job.written_to === 0 &&
      job.wrong > 0 &&
      (status === 'paused' || looked || mendable),
  }
}

/** A job whose entity was deleted is still shown, under its tag. */
export async function presentJob(
  context: Context,
  job: ImportRecord,
  withErrors = true,
): Promise<Job> {
  const { locale } = context
  const entity = await context.registry.find(job.tenant_id, job.tag)
  const wrong =
    withErrors && job.wrong > 0
      ? await rowsOfVerdict(databaseOf(context), job, 'w', limits.importErrors, 0)
      : []
  const creatable = await creatableIn(context, entity, wrong)
  const errors = wrong
    .flatMap(({ row_no, errors: faults }) =>
      (faults ?? []).map((fault) => toJobError(locale, job, row_no, fault, creatable)),
    )
    .slice(0, limits.importErrors)
  const {
    options: { mode, key, onError, dryRun, empty },
    file,
  } = job
  return {
    id: job.id,
    kind: 'import',
    tag: job.tag,
    entityName:
      entity === undefined
        ? job.tag
        : locale === 'en'
          ? (entity.definition.nameEn ?? entity.definition.name)
          : entity.definition.name,
    status: job.status,
    phase: job.phase,
    total: job.total,
    done: job.done,
    inserted: job.inserted,
    updated: job.updated,
    skipped: job.same,
    failed: job.wrong,
    errors,
    message: job.message === null ? null : messageText(locale, job.message),
    review: { fresh: job.fresh, changed: job.changed, same: job.same, wrong: job.wrong },
    fileName: file.name,
    format: file.format,
    mode,
    key,
    onError,
    dryRun,
    empty,
    needsConfirm: job.status === 'paused' && job.message?.key === 'transfer.job.confirm',
    sheet: withErrors ? job.sheet : null,
    can: abilities(job),
    createTime: time(job.create_time) ?? '',
    startTime: time(job.start_time),
    endTime: time(job.end_time),
  }
}

/**
 * A page of rows under review. The ledger stores choices as ids; one query per field finds their
 * names.
 */
export async function presentRows(
  context: Context,
  job: JobBase & { readonly sheet?: ImportRecord['sheet'] },
  rows: readonly LedgerRow[],
): Promise<ReviewRow[]> {
  const entity = await context.registry.find(job.tenant_id, job.tag)
  const values = rows.map(({ payload, row_no }): Row => ({
    id: String(row_no),
    ...Object.fromEntries(
      Object.entries(payload ?? {}).map(([attrName, value]) => [
        attrName,
        openValue(entity?.field(attrName), value, context.keys),
      ]),
    ),
  }))
  const labelled =
    entity === undefined ? values : await labelRows(context, valueFields(entity), values)
  const creatable = await creatableIn(context, entity, rows)
  return rows.map((row, i) =>
    presentRow(context, job, entity, row, { labelled: labelled[i] ?? {}, creatable }),
  )
}

function presentRow(
  context: Context,
  job: JobBase & { readonly sheet?: ImportRecord['sheet'] },
  entity: LoadedEntity | undefined,
  row: LedgerRow,
  {
    labelled,
    creatable,
  }: {
    readonly labelled: Readonly<Record<string, WireValue | undefined>>
    readonly creatable: ReadonlySet<string>
  },
): ReviewRow {
  const label = entity === undefined ? (attrName: string) => attrName : labelIn(context, entity)
  const cells = Object.keys(row.payload ?? {}).flatMap((attrName): ReviewRow['cells'] => {
    const field = entity?.field(attrName)
    if (field === undefined) return []
    const value = labelled[attrName]
    const shown = field.pii === null || value === undefined ? value : maskValue(field.pii, value)
    const after = field.kind.secret ? '••••••' : shownText(field, shown, context.locale)
    const before = row.before?.[attrName] ?? null
    return after === null && before === null
      ? []
      : [
          {
            attrName,
            label: label(attrName),
            before,
            after: after === null ? null : cutText(after, 500),
            ...(row.tidied?.[attrName] === undefined ? {} : { typed: row.tidied[attrName] }),
          },
        ]
  })
  return {
    ...shownPlace(job, row.row_no),
    verdict: verdictNames[row.verdict],
    id: row.verdict === 'f' && !isWritten(job, row) ? null : row.row_id,
    name: row.name,
    cells,
    errors: (row.errors ?? []).map((fault) =>
      toJobError(context.locale, job, row.row_no, fault, creatable),
    ),
    written: isWritten(job, row),
  }
}

function isWritten(job: JobBase, { verdict, row_no }: LedgerRow): boolean {
  return (verdict === 'f' || verdict === 'c') && row_no <= job.written_to
}
