import { type Job, t, type TextKey } from '@jiaowu/api'
import type { transferMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { all, find, textOf } from '../../surfaces/web/dom.ts'

type Snapshot = SnapshotFrom<typeof transferMachine>

/** What is in the tables and lists, and what of the drawer is said beside. */
const texts = [
  '.jw-tr__scope > *',
  '.jw-tr__columns legend',
  '.jw-tr__columns label',
  '.jw-tr__history li small',
  '.jw-tr__history li .bp6-tag',
  '.jw-tr__history li button',
  '.jw-tr p.jw-muted',
  '.jw-tr__rows td',
  '.jw-tr__mapping .bp6-tag',
] as const
/** What nobody may touch while something is under way. */
const locks = [
  '.jw-tr__card input',
  '.jw-tr__choices select',
  '.jw-tr__verdict',
  '.jw-tr__mapping select',
] as const
const lockOf = (isLocked: boolean): string => (isLocked ? 'x' : 'o')

export function contentsNow(): string {
  return [
    ...texts.map((place) =>
      all(place)
        .map((each) => each.textContent?.trim() ?? '')
        .join('/'),
    ),
    ...locks.map((place) =>
      all(place)
        .map((each) => lockOf(each.matches(':disabled')))
        .join(''),
    ),
    isReviewing() ? textOf(find('.jw-tr__foot .bp6-intent-primary')) : '',
  ].join('|')
}

function isReviewing() {
  return find('.jw-tr__choices') !== undefined && find('.jw-tr__drop') === undefined
}

interface Shown {
  readonly at: string
  readonly isReview: boolean
  readonly isEdited: boolean
  readonly cards: number
  /** Choices beside each other. */ readonly choices: number
}

/** The same from the machine's state. */
export function contentsOf(s: Snapshot, { at, isReview, isEdited, cards, choices }: Shown): string {
  const { job, mapping, recalled, rows, sheet, verdict } = s.context
  const inner =
    at === 'choosing' ? (s.value as { transfer: { choosing: string } }).transfer.choosing : ''
  const jobs = at === 'choosing' && inner !== 'forgotten' ? (recalled?.jobs ?? []) : []
  const isSheet = at === 'sheet'
  const names = ['a', 'b'] // the columns of the list's entity
  const chosen = (sheet.columns ?? names).length
  const hasRows =
    isReview &&
    job?.phase !== 'mapping' &&
    rows !== null &&
    !s.matches({ transfer: { reviewing: { rows: 'failed' } } })
  const columns = isReview ? (job?.sheet?.columns ?? []).filter(({ by }) => by !== 'own') : []
  const now = (column: number) => mapping.find((each) => each.column === column)
  const hasChanged = (column: (typeof columns)[number]) => {
    const to = now(column.column)
    return to !== undefined && (to.attrName !== column.attrName || to.empty !== column.empty)
  }
  const muted =
    (at === 'checking' || at === 'running') && job !== null && !s.hasTag('lost')
      ? [zh('import.closeHint')]
      : at === 'paused'
        ? [zh('import.pausedHint')]
        : inner === 'forgotten'
          ? [`${zh('import.historyFailed')} ${zh('common.retry')}`]
          : at === 'choosing' && inner !== 'recalling' && jobs.length === 0
            ? [zh('import.noHistory')]
            : []
  const isBusy = at !== 'reviewing'
  return [
    isSheet ? [zh('export.scope'), zh('export.filtered', { total: 40, filter: 'a x' })] : [],
    isSheet
      ? [`${zh('export.columns')} ${zh('export.columnsChosen', { n: chosen, all: names.length })}`]
      : [],
    isSheet ? names : [],
    jobs.map(
      ({ createTime, total, done }) =>
        `${createTime.slice(0, 16)} · ${zh('import.rows', { done, total })}`,
    ),
    jobs.map(statusOf),
    jobs.map((each) => zh(isOver(each) ? 'import.openJob' : 'import.goOn')),
    muted,
    hasRows
      ? rows.records.flatMap((row) =>
          verdict === 'wrong'
            ? row.errors.flatMap((error) => [
                String(error.row),
                error.column,
                error.value,
                error.msg,
              ])
            : [String(row.row), row.name, ''],
        )
      : [],
    columns.map((column) =>
      zh(
        hasChanged(column)
          ? 'import.by.changed'
          : column.by === null
            ? 'import.by.none'
            : (`import.by.${column.by}` as TextKey),
      ),
    ),
  ]
    .map((found) => found.join('/'))
    .concat([
      lockOf(at === 'choosing' && inner === 'recalling' && recalled === null).repeat(cards),
      lockOf(isReview ? isBusy : inner === 'recalling' && recalled === null).repeat(choices),
      isReview && job?.phase !== 'mapping' ? lockOf(isBusy).repeat(4) : '',
      columns
        .map(
          ({ column }) =>
            lockOf(isBusy) +
            (job?.mode === 'insert'
              ? ''
              : lockOf(isBusy || (now(column)?.attrName ?? null) === null)),
        )
        .join(''),
      isReview && job !== null
        ? isEdited || job.phase === 'mapping'
          ? zh('import.check')
          : zh('import.run', { n: job.review.fresh + job.review.changed })
        : '',
    ])
    .join('|')
}

function zh(key: TextKey, params: Readonly<Record<string, string | number>> = {}): string {
  return (t as (...given: unknown[]) => string)('zh-CN', key, params)
}

function statusOf({ status, phase }: Job): string {
  return zh(
    `import.status.${status === 'paused' && (phase === 'review' || phase === 'mapping') ? 'review' : status}` as TextKey,
  )
}

function isOver({ status }: Job): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled'
}
