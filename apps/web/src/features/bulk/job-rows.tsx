import { Button } from '@blueprintjs/core'
import { ArrowRight, Download } from '@blueprintjs/icons'
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { limits } from '@jiaowu/api/limits'
import type { ReviewRow } from '@jiaowu/api/contract/job'
import { useText } from '../../app/text-context.ts'
import type { Bulk } from './use-bulk.ts'

/** Old and new values row by row; for a deletion the names of the rows. */
export function ChangedRows({ job: { rows, changed, action } }: { readonly job: BulkJob }) {
  const { t } = useText()
  if (rows.length === 0) return null
  const isAll = rows.length >= changed
  const head =
    action === 'delete'
      ? isAll
        ? t('bulk.doomed')
        : t('bulk.firstDoomed', { n: rows.length })
      : isAll
        ? t('bulk.rows')
        : t('bulk.firstRows', { n: rows.length })
  if (action === 'delete')
    return (
      <section className="jw-bulk__rows">
        <h4 className="jw-tr__head">{head}</h4>
        <ul className="jw-bulk__names" aria-label={head} tabIndex={0}>
          {rows.map(({ row, name }) => (
            <li key={row}>{name}</li>
          ))}
        </ul>
      </section>
    )
  return (
    <section className="jw-bulk__rows">
      <h4 className="jw-tr__head">{head}</h4>
      <div className="jw-tr__scroll" role="region" aria-label={head} tabIndex={0}>
        <table className="jw-tr__table">
          <thead>
            <tr>
              <th scope="col">{t('import.col.record')}</th>
              <th scope="col">{t('import.col.changes')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, name, cells }) => (
              <tr key={row}>
                <td>{name}</td>
                <td>
                  <ul className="jw-tr__cells">
                    {cells.map(({ attrName, label, before, after }) => (
                      <li key={attrName}>
                        <span className="jw-tr__label">{label}</span>
                        <del>
                          <Value text={before} />
                        </del>
                        <ArrowRight size={12} className="jw-muted" />
                        <ins>
                          <Value text={after} />
                        </ins>
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
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

/** Refused rows with the reason of each, and a download of all of them. */
export function RefusedRows({
  job: { refused, failed },
  bulk: { view, send },
}: {
  readonly job: BulkJob
  readonly bulk: Bulk
}) {
  const { t } = useText()
  if (failed === 0) return null
  return (
    <section className="jw-bulk__rows is-refused">
      <h4 className="jw-tr__head">
        {failed <= limits.bulkCells
          ? t('bulk.refused')
          : t('bulk.firstRefused', { n: refused.length })}
        <Button
          size="small"
          icon={<Download size={14} />}
          text={t('bulk.saveRefused')}
          disabled={!view.can.result}
          loading={view.saving === 'refused'}
          onClick={() => send({ type: 'result.save', format: 'xlsx', only: 'refused' })}
        />
      </h4>
      <div className="jw-tr__scroll" role="region" aria-label={t('bulk.refused')} tabIndex={0}>
        <table className="jw-tr__table">
          <thead>
            <tr>
              <th scope="col">{t('import.col.record')}</th>
              <th scope="col">{t('import.col.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {refused.map((row) => (
              <tr key={row.row}>
                <td>{row.name}</td>
                <td>{formatReasons(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function formatReasons({ errors }: ReviewRow): string {
  return errors.map(({ column, msg }) => (column === '' ? msg : `${column}: ${msg}`)).join('; ')
}

/** Number of rows by outcome: as previewed, or so far when `over`. */
export function BulkCounts({ job, over }: { readonly job: BulkJob; readonly over: boolean }) {
  const { t, locale } = useText()
  const { action, changed, updated, skipped, failed } = job
  const counts = [
    [
      'updated',
      over ? t(`bulk.count.updated.${action}`) : t(`bulk.count.changed.${action}`),
      over ? updated : changed,
    ],
    ...(action === 'delete' ? [] : [['skipped', t('bulk.count.skipped'), skipped] as const]),
    ['failed', t('bulk.count.failed'), failed],
  ] as const
  return (
    <dl className="jw-tr__counts jw-bulk__counts">
      {counts.map(([name, label, n]) => (
        <div key={name} className={`is-${name}${n === 0 ? ' is-none' : ''}`}>
          <dt>{label}</dt>
          <dd>{n.toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The new values in words. */
export function SetWords({ job: { set } }: { readonly job: BulkJob }) {
  const { t } = useText()
  return set.length === 0 ? null : (
    <ul className="jw-bulk__set">
      {set.map(({ attrName, label, text }) => (
        <li key={attrName}>
          {text === null ? t('bulk.setEmpty', { label }) : t('bulk.setTo', { label, text })}
        </li>
      ))}
    </ul>
  )
}
