// Checks a change of many rows: values out of bounds here, as the server would, and the rest there.
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Job, JobError, ReviewRow } from '@jiaowu/api/contract/job'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { valueText } from '@jiaowu/api/fields/money'
import type { Message } from '@jiaowu/api/texts/index'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import { brokenBounds } from '@jiaowu/validation'
import { sameIds } from '../entity-form/values.ts'
import { type JobApi, readReviewedRows, startCheck, type Wait } from './check-job.ts'
import type { PasteCheck, PasteRow, RefusedRow, RowWrite } from './context.ts'

/** A row of a paste whose stored row is known. */
export type KnownRow = PasteRow & RowWrite

interface Subject {
  readonly tag: string
  readonly config: EntityConfig | null
  readonly rows: readonly KnownRow[]
  readonly textOf: (message: Message) => string
}

/** Rows of a preview. */
const shownRows = 100
const nothing = { changed: 0, fresh: 0, same: 0, wrong: 0 } as const

/** A row with a value that is surely refused is not sent; without any other row no job is made. */
export async function checkRows(
  api: JobApi,
  wait: Wait,
  subject: Subject,
  signal: AbortSignal,
): Promise<PasteCheck> {
  const { tag, config, rows } = subject
  const broken = rows.flatMap((row, at) => refuseRow(subject, row, at + 1))
  const refusedHere = new Set(broken.map(({ row }) => row))
  const lines = rows.flatMap((_row, at) => (refusedHere.has(at + 1) ? [] : [at + 1]))
  const sent = rows.filter((_row, at) => !refusedHere.has(at + 1))
  const job =
    sent.length === 0
      ? null
      : await startCheck(api, wait, { tag, config, rows: sent, onError: 'skip' }, signal)
  // The job counts the rows that were sent, the review those of the block.
  const placeRows = (found: readonly ReviewRow[]) =>
    found.map((each) => ({ ...each, row: lines[each.row - 1] ?? each.row }))
  const review = job?.review ?? nothing
  const read = async (verdict: 'changed' | 'fresh' | 'wrong', most: number) =>
    job === null || review[verdict] === 0
      ? []
      : placeRows(await readReviewedRows(api, job.id, verdict, most, signal))
  const changed = await read('changed', Infinity)
  const fresh = await read('fresh', shownRows)
  const refused = [...broken, ...(await read('wrong', Infinity))].toSorted((a, b) => a.row - b.row)
  const wrong = new Set(refused.map(({ row }) => row))
  const kept = rows.filter((_row, line) => !wrong.has(line + 1))
  return {
    jobId: job?.id ?? null,
    cells: changed.reduce((sum, { cells }) => sum + cells.length, 0),
    ...pickCounts(review),
    wrong: review.wrong + broken.length,
    rows: [...changed.slice(0, shownRows), ...fresh],
    refused: refused.slice(0, shownRows),
    left: refused.flatMap((row) => buildRefusedRow(rows[row.row - 1], row)),
    before: kept.flatMap(({ id: own, held }) =>
      own === null || held === null ? [] : [{ id: own, values: held }],
    ),
    after: kept.map(({ id: own, values }) => ({ id: own, values })),
  }
}

function pickCounts({ changed, fresh, same }: Job['review']): Omit<Job['review'], 'wrong'> {
  return { changed, fresh, same }
}

/** The row with the values that are out of their bounds; none where the row is not known as a whole. */
function refuseRow(
  { config, textOf }: Subject,
  { id, whole, values }: KnownRow,
  row: number,
): ReviewRow[] {
  if (config === null || whole === null) return []
  const typed = values as Values
  const changed = Object.keys(typed).filter(
    (name) => id === null || !sameIds(typed[name], whole[name]),
  )
  const errors = brokenBounds(config.fields, { ...whole, ...typed }, new Set(changed)).flatMap(
    ({ attrName, name, message }): JobError[] => {
      const field = config.fields.find((each) => each.attrName === attrName)
      return field === undefined || !Object.hasOwn(typed, attrName)
        ? []
        : [
            {
              row,
              column: field.uiLabel,
              attrName,
              value: toShownText(field, typed[attrName]),
              rule: name,
              msg: textOf(message),
              suggestions: [],
            },
          ]
    },
  )
  return errors.length === 0
    ? []
    : [{ row, verdict: 'wrong', id, name: '', cells: [], errors, written: false }]
}

function toShownText(field: Field, value: WireValue | undefined): string {
  return value === undefined || isEmpty(value) ? '' : valueText(field, value)
}

/** A refused row with what was sent for it. */
function buildRefusedRow(sent: KnownRow | undefined, { errors }: ReviewRow): RefusedRow[] {
  if (sent === undefined) return []
  const { id, index, held, values } = sent
  const faults = errors.map(({ attrName, msg }) => [attrName ?? '', msg] as const)
  return [{ id, index, held, values: values as Values, faults: Object.fromEntries(faults) }]
}
