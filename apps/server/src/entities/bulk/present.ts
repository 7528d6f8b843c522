// Turns a bulk change into the contract's shape, in the language of the request.
import type { BulkJob, BulkPhase } from '@jiaowu/api/contract/entity/bulk'
import { limits } from '@jiaowu/api/limits'
import type { ReviewRow } from '@jiaowu/api/contract/job'
import { messageText } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import { labelRows } from '../read/labels.ts'
import { type LoadedEntity, valueFields } from '../../model/definition/loaded.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { shownText } from '../sheets/cells.ts'
import type { BulkRecord } from '../jobs/job.ts'
import { rowsOfVerdict } from '../jobs/ledger.ts'
import { labelIn } from '../import/rows/plan.ts'
import { presentRows } from '../import/present.ts'

function isInterrupted({ status, interrupted_at }: BulkRecord): boolean {
  return status === 'paused' && interrupted_at !== null
}

/** Lists the actions of the user on a job in this state. */
export function abilities(job: BulkRecord): BulkJob['can'] {
  const isWaiting = job.status === 'paused' && !isInterrupted(job)
  return {
    apply: isWaiting && job.phase === 'review' && job.changed > 0,
    cancel: ['queued', 'running', 'paused'].includes(job.status),
    result:
      !job.file_gone &&
      job.total > 0 &&
      !['queued', 'running'].includes(job.status) &&
      (job.phase === 'review' || job.phase === 'writing' || job.phase === 'finished'),
  }
}

/** Without rows while it runs, because clients poll it often. */
export async function presentBulk(context: Context, job: BulkRecord): Promise<BulkJob> {
  const { locale } = context
  const entity = await context.registry.find(job.tenant_id, job.tag)
  const isStill = job.status !== 'queued' && job.status !== 'running'
  const db = databaseOf(context)
  const first = async (verdict: 'c' | 'w') =>
    isStill
      ? await presentRows(context, job, await rowsOfVerdict(db, job, verdict, limits.bulkCells, 0))
      : []
  const phase: BulkPhase =
    job.phase === 'review' || job.phase === 'writing' || job.phase === 'finished'
      ? job.phase
      : 'checking'
  return {
    id: job.id,
    kind: 'bulk',
    action: job.options.action,
    tag: job.tag,
    entityName:
      entity === undefined
        ? job.tag
        : locale === 'en'
          ? (entity.definition.nameEn ?? entity.definition.name)
          : entity.definition.name,
    status: isInterrupted(job) ? 'queued' : job.status,
    phase,
    total: job.total,
    done: job.done,
    changed: job.changed,
    skipped: job.same,
    failed: job.wrong,
    updated: job.updated,
    set: await setWords(context, entity, job.options),
    rows: firstCells(await first('c')),
    refused: await first('w'),
    message: job.message === null ? null : messageText(locale, job.message),
    onError: job.options.onError,
    can: abilities(job),
    createTime: localTime(new Date(job.create_time)),
    endTime: job.end_time === null ? null : localTime(new Date(job.end_time)),
  }
}

async function setWords(
  context: Context,
  entity: LoadedEntity | undefined,
  { set }: BulkRecord['options'],
): Promise<BulkJob['set']> {
  if (entity === undefined) return []
  const [row] = await labelRows(context, valueFields(entity), [{ id: '', ...set }])
  const label = labelIn(context, entity)
  return valueFields(entity)
    .filter(({ definition }) => Object.hasOwn(set, definition.attrName))
    .map((field) => {
      const { attrName } = field.definition
      const text = shownText(field, row?.[attrName], context.locale)
      return { attrName, label: label(attrName), text }
    })
}

/** The first rows, up to about the number of cells that a client shows. */
function firstCells(rows: readonly ReviewRow[]): ReviewRow[] {
  let left: number = limits.bulkCells
  return rows.filter(({ cells }) => {
    const is = left > 0
    left -= Math.max(1, cells.length)
    return is
  })
}
