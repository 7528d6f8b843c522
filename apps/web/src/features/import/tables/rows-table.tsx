import { Button } from '@blueprintjs/core'
import { ArrowRight, ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import {
  type JobError,
  type ReviewRow,
  type RowVerdict,
  rowVerdicts,
} from '@jiaowu/api/contract/job'
import { type Problem, problemDetail } from '@jiaowu/api/problem'
import type { ReviewView } from '@jiaowu/machines/transfer/view'
import type { TransferEvent } from '@jiaowu/machines/transfer/context'
import { useText } from '../../../app/text-context.ts'
import { ErrorHead, RowCell } from './error-head.tsx'
import { MendTable } from './mend-table.tsx'
import { Failed, Loading } from '../../../ui/resource/page-state.tsx'

/** Tabs of the four verdicts with their row counts. */
export function VerdictTabs({
  review,
  disabled,
  onShow,
}: {
  readonly review: ReviewView
  readonly disabled: boolean
  readonly onShow: (verdict: RowVerdict) => void
}) {
  const { t } = useText()
  return (
    <div className="jw-tr__verdicts" role="tablist">
      {rowVerdicts.map((verdict) => (
        <button
          key={verdict}
          type="button"
          role="tab"
          disabled={disabled}
          aria-selected={review.rows.verdict === verdict}
          className={`jw-tr__verdict is-${verdict}${review.counts[verdict] === 0 ? ' is-none' : ''}`}
          onClick={() => onShow(verdict)}
        >
          <strong>{review.counts[verdict]}</strong>
          <span>{t(`import.verdict.${verdict}`)}</span>
        </button>
      ))}
    </div>
  )
}

/** One line per error: row, column, value and reason; the reason may suggest a correction. */
export function ErrorTable({ errors }: { readonly errors: readonly JobError[] }) {
  const { t } = useText()
  return (
    <div className="jw-tr__scroll">
      <table className="jw-tr__table jw-tr__errors">
        <ErrorHead />
        <tbody>
          {errors.map(({ row, sheet, column, value, msg }, index) => (
            <tr key={`${row} ${column} ${index}`}>
              <RowCell row={row} sheet={sheet} />
              <td>{column === '' ? <i className="jw-muted">{t('import.wholeRow')}</i> : column}</td>
              <td className="jw-tr__wrong">
                <Value text={value} />
              </td>
              <td>{msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({ text }: { readonly text: string | null }) {
  const { t } = useText()
  return text === null || text === '' ? (
    <i className="jw-muted">{t('import.blank')}</i>
  ) : (
    <>{text}</>
  )
}

/** One page of the rows that have the selected verdict. */
export function ReviewRows({
  review: { rows },
  config,
  mayMend,
  problem,
  disabled,
  send,
}: {
  readonly review: ReviewView
  /** Set where cells can be corrected. */
  readonly config: EntityConfig | null
  readonly mayMend: boolean
  readonly problem: Problem | null
  readonly disabled: boolean
  readonly send: (event: TransferEvent) => void
}) {
  const { t, locale } = useText()
  const go = (pageNum: number) => send({ type: 'rows.page', pageNum })
  if (rows.state === 'failed')
    return (
      <Failed
        text={problem === null ? '' : problemDetail(locale, problem)}
        onRetry={() => send({ type: 'transfer.retry' })}
      />
    )
  if (rows.state === 'none') return null
  if (rows.state === 'loading' && rows.records.length === 0) return <Loading />
  if (rows.records.length === 0)
    return <p className="jw-tr__empty">{t(`import.none.${rows.verdict}`)}</p>
  return (
    <div aria-busy={rows.state === 'loading'} className="jw-tr__rows">
      {rows.verdict === 'wrong' && config !== null ? (
        <MendTable
          config={config}
          errors={rows.records.flatMap(({ errors }) => errors)}
          disabled={disabled || !mayMend}
          send={send}
        />
      ) : rows.verdict === 'wrong' ? (
        <ErrorTable errors={rows.records.flatMap(({ errors }) => errors)} />
      ) : (
        <RowTable verdict={rows.verdict} records={rows.records} />
      )}
      {rows.pageCount > 1 ? (
        <div className="jw-tr__pages">
          <Button
            variant="minimal"
            icon={<ChevronLeft />}
            aria-label={t('pdf.previous')}
            disabled={disabled || rows.pageNum <= 1 || rows.state !== 'shown'}
            onClick={() => go(rows.pageNum - 1)}
          />
          <span>
            {rows.pageNum} / {rows.pageCount}
          </span>
          <Button
            variant="minimal"
            icon={<ChevronRight />}
            aria-label={t('pdf.next')}
            disabled={disabled || rows.pageNum >= rows.pageCount || rows.state !== 'shown'}
            onClick={() => go(rows.pageNum + 1)}
          />
        </div>
      ) : null}
    </div>
  )
}

function RowTable({
  verdict,
  records,
}: {
  readonly verdict: RowVerdict
  readonly records: readonly ReviewRow[]
}) {
  const { t } = useText()
  return (
    <div className="jw-tr__scroll">
      <table className="jw-tr__table">
        <thead>
          <tr>
            <th scope="col">{t('import.col.row')}</th>
            <th scope="col">{t('import.col.record')}</th>
            <th scope="col">
              {t(verdict === 'changed' ? 'import.col.changes' : 'import.col.cells')}
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((row) => (
            <tr key={`${row.sheet ?? ''} ${row.row}`}>
              <td className="jw-tr__letter">
                {row.sheet === undefined ? null : <small>{row.sheet} </small>}
                {row.row}
              </td>
              <td>{row.name}</td>
              <td>
                <Cells row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cells({ row: { verdict, cells } }: { readonly row: ReviewRow }) {
  const { t } = useText()
  return (
    <ul className="jw-tr__cells">
      {cells.map(({ attrName, label, before, after, typed }) => (
        <li key={attrName}>
          <span className="jw-tr__label">{label}</span>
          {verdict === 'changed' ? (
            <>
              <del>
                <Value text={before} />
              </del>
              <ArrowRight size={12} className="jw-muted" />
              <ins>
                <Value text={after} />
              </ins>
            </>
          ) : (
            <span>
              <Value text={after} />
            </span>
          )}
          {typed === undefined ? null : (
            <small className="jw-tr__typed" title={t('import.tidied', { typed })}>
              {t('import.tidied', { typed })}
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}
