import { Button, HTMLSelect, Tag } from '@blueprintjs/core'
import { Add, ChevronLeft, ChevronRight, Refresh } from '@blueprintjs/icons'
import { problemOf, problemText, type Refund, refundStates, schoolTime } from '@jiaowu/api'
import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useApp } from '../../shell/context/app-context.tsx'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'
import { DecideRefund, RequestRefund } from './refund-dialogs.tsx'

type State = Refund['state']
type Open =
  | { readonly kind: 'request'; readonly orderNo: string }
  | { readonly kind: 'decide'; readonly refund: Refund; readonly agree: boolean }
const pageSize = 50 // as the call gives them
const tones = {
  REQUESTED: 'warning',
  REJECTED: 'none',
  DUE: 'primary',
  SENT: 'primary',
  DONE: 'success',
  FAILED: 'danger',
} as const satisfies Record<State, string>

/** /print/refunds: asking for money back and the second person's decision (docs/rules/contract.md#student-service, docs/rules/security.md#payments). `orderNo` in the query opens the request. */
export function RefundsPage() {
  const { t } = useApp()
  const { search } = useLocation()
  const [state, setState] = useState<State | ''>('')
  const [pageNum, setPageNum] = useState(1)
  const { page, fault, again } = useRefunds(state, pageNum)
  const wanted = new URLSearchParams(search).get('orderNo')
  const [open, setOpen] = useState<Open | null>(
    wanted === null ? null : { kind: 'request', orderNo: wanted },
  )
  const close = () => setOpen(null)
  const done = () => {
    close()
    again()
  }
  const pages = Math.max(1, Math.ceil((page?.total ?? 0) / pageSize))
  return (
    <section className="jw-panel jw-refunds" aria-label={t('refundPage.title')}>
      <div className="jw-toolbar">
        <Button
          intent="primary"
          icon={<Add />}
          text={t('refundPage.request')}
          onClick={() => setOpen({ kind: 'request', orderNo: '' })}
        />
        <span className="jw-toolbar__gap" />
        <HTMLSelect
          aria-label={t('refundPage.stateLabel')}
          value={state}
          onChange={(event) => {
            setState(event.currentTarget.value as State | '')
            setPageNum(1)
          }}
        >
          <option value="">{t('common.all')}</option>
          {refundStates.map((each) => (
            <option key={each} value={each}>
              {t(`refundPage.state.${each}`)}
            </option>
          ))}
        </HTMLSelect>
        <Button
          variant="minimal"
          icon={<Refresh />}
          aria-label={t('common.refresh')}
          title={t('common.refresh')}
          onClick={again}
        />
      </div>
      {fault !== null ? (
        <Failed text={fault} onRetry={again} />
      ) : page === null ? (
        <Loading />
      ) : page.records.length === 0 ? (
        <Empty title={t('refundPage.none')} />
      ) : (
        <Rows
          records={page.records}
          onDecide={(refund, agree) => setOpen({ kind: 'decide', refund, agree })}
        />
      )}
      {pages > 1 ? (
        <div className="jw-pager">
          <span className="jw-pager__total">{t('refundPage.total', { n: page?.total ?? 0 })}</span>
          <Button
            variant="minimal"
            icon={<ChevronLeft />}
            aria-label={t('pdf.previous')}
            disabled={pageNum <= 1}
            onClick={() => setPageNum(pageNum - 1)}
          />
          <span>
            {pageNum} / {pages}
          </span>
          <Button
            variant="minimal"
            icon={<ChevronRight />}
            aria-label={t('pdf.next')}
            disabled={pageNum >= pages}
            onClick={() => setPageNum(pageNum + 1)}
          />
        </div>
      ) : null}
      {open?.kind === 'request' ? (
        <RequestRefund orderNo={open.orderNo} onDone={done} onClose={close} />
      ) : null}
      {open?.kind === 'decide' ? (
        <DecideRefund refund={open.refund} agree={open.agree} onDone={done} onClose={close} />
      ) : null}
    </section>
  )
}

function useRefunds(state: State | '', pageNum: number) {
  const { api, locale } = useApp()
  const [page, setPage] = useState<{
    readonly records: readonly Refund[]
    readonly total: number
  } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    api.print
      .refunds({ query: { ...(state === '' ? {} : { state }), pageNum }, signal: stop.signal })
      .then(
        (found) => {
          setPage(found)
          setFault(null)
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setFault(problemText(locale, problemOf(error)))
        },
      )
    return () => stop.abort()
  }, [api, locale, state, pageNum, asked])
  return { page, fault, again: useCallback(() => setAsked((n) => n + 1), []) }
}

function Rows({
  records,
  onDecide,
}: {
  readonly records: readonly Refund[]
  readonly onDecide: (refund: Refund, agree: boolean) => void
}) {
  const { t } = useApp()
  const columns = [
    'orderNo',
    'student',
    'report',
    'amount',
    'reason',
    'requestedBy',
    'approvedBy',
    'state',
    'created',
  ] as const
  return (
    <div className="jw-table-wrap">
      <table className="jw-table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name}>{t(`refundPage.${name}`)}</th>
            ))}
            <th>{t('refundPage.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((refund) => (
            <tr key={refund.id}>
              <td>{refund.orderNo}</td>
              <td>{refund.student}</td>
              <td>{refund.report}</td>
              <td className="is-right">{(refund.amountFen / 100).toFixed(2)}</td>
              <td title={refund.reason}>
                <span className="jw-cell jw-refund__reason">{refund.reason}</span>
              </td>
              <td>{refund.automatic ? t('refundPage.automatic') : refund.requestedBy}</td>
              <td>{refund.approvedBy ?? '—'}</td>
              <td>
                <Tag minimal intent={tones[refund.state]} title={refund.failure ?? ''}>
                  {t(`refundPage.state.${refund.state}`)}
                </Tag>
              </td>
              <td>{schoolTime(refund.createTime)}</td>
              <td>
                {refund.mayDecide ? (
                  <span className="jw-row-actions">
                    <Button
                      variant="minimal"
                      size="small"
                      intent="primary"
                      text={t('refundPage.agree')}
                      onClick={() => onDecide(refund, true)}
                    />
                    <Button
                      variant="minimal"
                      size="small"
                      intent="danger"
                      text={t('refundPage.reject')}
                      onClick={() => onDecide(refund, false)}
                    />
                  </span>
                ) : refund.state === 'REQUESTED' ? (
                  <span className="jw-muted">{t('refundPage.needsOther')}</span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
