import { Button, Callout, Checkbox, SegmentedControl, Tag } from '@blueprintjs/core'
import { Comparison, Refresh } from '@blueprintjs/icons'
import { type Discrepancy, problemOf, problemText, schoolDay, schoolTime } from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import { DayInput } from '../../fields/date-controls.tsx'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'
import { CheckDialog, SettleDialog } from './reconcile-dialogs.tsx'
import { yuan } from './yuan.ts'

type Open =
  | { readonly kind: 'settle'; readonly row: Discrepancy }
  | { readonly kind: 'check'; readonly row: Discrepancy; readonly agree: boolean }
type Which = 'open' | 'settled'
/** Yesterday in China: the newest bill a provider has whole. */
const lastDay = (now = Date.now()): string => schoolDay(now - 86_400_000)
const today = (now = Date.now()): string => schoolDay(now)

/** /print/reconciliation: a day's bill of the payment provider against our books, and what became of what does not fit (docs/rules/contract.md#student-service, docs/rules/security.md#payments). */
export function ReconcilePage() {
  const { api, t, toast, locale } = useApp()
  const [day, setDay] = useState(lastDay)
  const [which, setWhich] = useState<Which>('open')
  const [onlyDay, setOnlyDay] = useState(false)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{
    readonly day: string
    readonly compared: number
    readonly found: number
  } | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const { data, problem, again } = useLoad(`${which} ${onlyDay ? day : ''}`, (signal) =>
    api.print.discrepancies({
      query: { open: which === 'open' ? '1' : '0', ...(onlyDay ? { day } : {}) },
      signal,
    }),
  )
  const run = async () => {
    setBusy(true)
    try {
      setResult({ day, ...(await api.print.reconcile({ body: { day } })) })
      again()
    } catch (error) {
      setResult(null)
      toast('danger', problemText(locale, problemOf(error)), { lasting: true })
    } finally {
      setBusy(false)
    }
  }
  const done = () => {
    setOpen(null)
    again()
  }
  return (
    <section className="jw-panel jw-reconcile" aria-label={t('reconcile.title')}>
      <div className="jw-toolbar">
        <span className="jw-reconcile__day">
          <label htmlFor="reconcile-day">{t('reconcile.day')}</label>
          <DayInput id="reconcile-day" value={day} max={today()} onChange={setDay} />
        </span>
        <Button
          intent="primary"
          icon={<Comparison />}
          text={t('reconcile.run')}
          loading={busy}
          onClick={() => {
            void run()
          }}
        />
        <span className="jw-toolbar__gap" />
        <Checkbox
          className="jw-reconcile__only"
          checked={onlyDay}
          label={t('reconcile.onlyDay')}
          onChange={(event) => setOnlyDay(event.currentTarget.checked)}
        />
        <SegmentedControl
          role="radiogroup"
          size="small"
          aria-label={t('reconcile.title')}
          value={which}
          onValueChange={(value) => setWhich(value === 'settled' ? 'settled' : 'open')}
          options={[
            { value: 'open', label: t('reconcile.open') },
            { value: 'settled', label: t('reconcile.settled') },
          ]}
        />
        <Button
          variant="minimal"
          icon={<Refresh />}
          aria-label={t('common.refresh')}
          title={t('common.refresh')}
          onClick={again}
        />
      </div>
      {result === null ? null : (
        <Callout
          className="jw-reconcile__result"
          intent={result.found === 0 ? 'success' : 'warning'}
        >
          {t(result.found === 0 ? 'reconcile.fits' : 'reconcile.ran', result)}
        </Callout>
      )}
      {problem !== null ? (
        <Failed text={problemText(locale, problem)} onRetry={again} />
      ) : data === null ? (
        <Loading />
      ) : data.length === 0 ? (
        <Empty title={t(which === 'open' ? 'reconcile.none' : 'reconcile.noneSettled')} />
      ) : (
        <Rows records={data} which={which} onOpen={setOpen} />
      )}
      {open?.kind === 'settle' ? (
        <SettleDialog row={open.row} onDone={done} onClose={() => setOpen(null)} />
      ) : null}
      {open?.kind === 'check' ? (
        <CheckDialog
          row={open.row}
          agree={open.agree}
          onDone={done}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </section>
  )
}

function Rows({
  records,
  which,
  onOpen,
}: {
  readonly records: readonly Discrepancy[]
  readonly which: Which
  readonly onOpen: (open: Open) => void
}) {
  const { t } = useApp()
  return (
    <div className="jw-table-wrap">
      <table className="jw-table" aria-label={t('reconcile.title')}>
        <thead>
          <tr>
            <th scope="col">{t('reconcile.day')}</th>
            <th scope="col">{t('reconcile.orderNo')}</th>
            <th scope="col">{t('reconcile.kind')}</th>
            <th scope="col" className="is-right">
              {t('reconcile.ours')}
            </th>
            <th scope="col" className="is-right">
              {t('reconcile.theirs')}
            </th>
            <th scope="col" className="is-right">
              {t('reconcile.gap')}
            </th>
            {which === 'open' ? (
              <th scope="col">{t('reconcile.found')}</th>
            ) : (
              <>
                <th scope="col">{t('reconcile.settledBy')}</th>
                <th scope="col">{t('reconcile.note')}</th>
              </>
            )}
            <th scope="col" className="is-fixed is-edge-right jw-stuck">
              {t('reconcile.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((row) => (
            <tr key={row.id}>
              <td>{row.day}</td>
              <td>{row.orderNo}</td>
              <td>{t(`reconcile.kind.${row.kind}`)}</td>
              <td className="is-right">{yuan(row.ourFen)}</td>
              <td className="is-right">{yuan(row.theirFen)}</td>
              <td className="is-right">{yuan((row.theirFen ?? 0) - (row.ourFen ?? 0))}</td>
              {which === 'open' ? (
                <td>{schoolTime(row.createTime)}</td>
              ) : (
                <>
                  <td>
                    {row.settledBy ?? '—'}
                    {row.settledAt === null ? '' : ` · ${schoolTime(row.settledAt)}`}
                  </td>
                  <td title={row.note ?? ''}>
                    <span className="jw-cell jw-refund__reason">{row.note ?? '—'}</span>
                  </td>
                </>
              )}
              <td className="is-fixed is-edge-right jw-stuck">
                <Actions row={row} onOpen={onOpen} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Actions({
  row,
  onOpen,
}: {
  readonly row: Discrepancy
  readonly onOpen: (open: Open) => void
}) {
  const { t } = useApp()
  if (!row.settled)
    return (
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('reconcile.settle')}
        onClick={() => onOpen({ kind: 'settle', row })}
      />
    )
  if (row.checkedAt !== null)
    return (
      <Tag minimal intent="success">
        {t('reconcile.checked')}
        {row.checkedBy === null ? '' : ` · ${row.checkedBy}`}
      </Tag>
    )
  if (!row.mayCheck) return <span className="jw-muted">{t('reconcile.needsOther')}</span>
  return (
    <span className="jw-row-actions">
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('reconcile.agree')}
        onClick={() => onOpen({ kind: 'check', row, agree: true })}
      />
      <Button
        variant="minimal"
        size="small"
        intent="danger"
        text={t('reconcile.reopen')}
        onClick={() => onOpen({ kind: 'check', row, agree: false })}
      />
    </span>
  )
}
