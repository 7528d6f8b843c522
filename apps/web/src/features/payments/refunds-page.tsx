import { Button, HTMLSelect, Tag } from '@blueprintjs/core'
import { Add, Refresh } from '@blueprintjs/icons'
import { type Refund, refundStates } from '@jiaowu/api/contract/student/print'
import { schoolTime } from '@jiaowu/api/formats'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { type Texts, useText } from '../../app/text-context.ts'
import { type AdminColumn, AdminTable } from '../../ui/admin-table.tsx'
import { PageTurner } from '../../ui/page-turner.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { DecideRefund, RequestRefund } from './refund-dialogs.tsx'
import { yuan } from './yuan.ts'

type State = Refund['state']
type OpenDialog =
  | { readonly kind: 'request'; readonly orderNo: string }
  | { readonly kind: 'decide'; readonly refund: Refund; readonly agree: boolean }
interface Query {
  readonly state: State | ''
  readonly pageNum: number
}
const pageSize = 50 // fixed by the call
const tones = {
  REQUESTED: 'warning',
  REJECTED: 'none',
  DUE: 'primary',
  SENT: 'primary',
  DONE: 'success',
  FAILED: 'danger',
} as const satisfies Record<State, string>

/**
 * /print/refunds: requests for refunds and the second person's decision
 * (docs/rules/contract.md#student-service, docs/rules/security.md#payments). `orderNo` in the query
 * opens the request.
 */
export function RefundsPage() {
  const { t } = useText()
  const wanted = new URLSearchParams(useLocation().search).get('orderNo')
  const [open, setOpen] = useState<OpenDialog | null>(
    wanted === null ? null : { kind: 'request', orderNo: wanted },
  )
  const page = useRefunds(() => setOpen(null))
  const close = () => {
    setOpen(null)
    page.dismiss('request')
    page.dismiss('decide')
  }
  return (
    <section className="jw-panel jw-refunds" aria-label={t('refundPage.title')}>
      <RefundsToolbar
        state={page.query?.state ?? ''}
        onState={(state) => page.show({ state, pageNum: 1 })}
        onRequest={() => setOpen({ kind: 'request', orderNo: '' })}
        onReload={page.reload}
      />
      <ResourceBody of={page}>
        {({ records }) => (
          <AdminTable
            columns={buildRefundColumns(t)}
            rows={records}
            empty={t('refundPage.none')}
            actions={{
              header: t('refundPage.actions'),
              cell: (refund) => (
                <RefundRowActions
                  refund={refund}
                  onDecide={(agree) => setOpen({ kind: 'decide', refund, agree })}
                />
              ),
            }}
          />
        )}
      </ResourceBody>
      <PageTurner
        label={t('refundPage.total', { n: page.data?.total ?? 0 })}
        total={page.data?.total ?? 0}
        pageSize={pageSize}
        pageNum={page.query?.pageNum ?? 1}
        onGo={(pageNum) => page.show({ state: page.query?.state ?? '', pageNum })}
      />
      {open?.kind === 'request' ? (
        <RequestRefund
          orderNo={open.orderNo}
          isActing={page.acting === 'request'}
          problem={page.failureOf('request')}
          onSubmit={(request) => page.start('request', request)}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'decide' ? (
        <DecideRefund
          refund={open.refund}
          agree={open.agree}
          isActing={page.acting === 'decide'}
          problem={page.failureOf('decide')}
          onSubmit={() => page.start('decide', { id: open.refund.id, agree: open.agree })}
          onClose={close}
        />
      ) : null}
    </section>
  )
}

function useRefunds(onDone: () => void) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  return useResource({
    query: { state: '', pageNum: 1 } as Query,
    load: ({ state, pageNum }, signal) =>
      api.print.refunds({ query: { ...(state === '' ? {} : { state }), pageNum }, signal }),
    actions: {
      request: (body: { readonly orderNo: string; readonly reason: string }) =>
        api.print.requestRefund({ body }),
      decide: async ({ id, agree }: { readonly id: string; readonly agree: boolean }) => {
        await api.print.decideRefund({ params: { id }, body: { agree } })
        return agree
      },
    },
    onDone: {
      request: () => {
        toast('success', t('refundPage.requested'), { lasting: true })
        onDone()
      },
      decide: (agree) => {
        toast('success', t(agree ? 'refundPage.agreed' : 'refundPage.rejectedDone'), {
          lasting: true,
        })
        onDone()
      },
    },
  })
}

function RefundsToolbar({
  state,
  onState,
  onRequest,
  onReload,
}: {
  readonly state: State | ''
  readonly onState: (state: State | '') => void
  readonly onRequest: () => void
  readonly onReload: () => void
}) {
  const { t } = useText()
  return (
    <div className="jw-toolbar">
      <Button intent="primary" icon={<Add />} text={t('refundPage.request')} onClick={onRequest} />
      <span className="jw-toolbar__gap" />
      <HTMLSelect
        aria-label={t('refundPage.stateLabel')}
        value={state}
        onChange={(event) => onState(event.currentTarget.value as State | '')}
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
        onClick={onReload}
      />
    </div>
  )
}

function buildRefundColumns(t: Texts['t']): readonly AdminColumn<Refund>[] {
  return [
    { key: 'orderNo', header: t('refundPage.orderNo'), cell: ({ orderNo }) => orderNo },
    { key: 'student', header: t('refundPage.student'), cell: ({ student }) => student },
    { key: 'report', header: t('refundPage.report'), cell: ({ report }) => report },
    {
      key: 'amount',
      header: t('refundPage.amount'),
      align: 'right',
      cell: ({ amountFen }) => yuan(amountFen),
    },
    {
      key: 'reason',
      header: t('refundPage.reason'),
      title: ({ reason }) => reason,
      cell: ({ reason }) => <span className="jw-cell jw-refund__reason">{reason}</span>,
    },
    {
      key: 'requestedBy',
      header: t('refundPage.requestedBy'),
      cell: ({ automatic, requestedBy }) => (automatic ? t('refundPage.automatic') : requestedBy),
    },
    {
      key: 'approvedBy',
      header: t('refundPage.approvedBy'),
      cell: ({ approvedBy }) => approvedBy ?? '—',
    },
    {
      key: 'state',
      header: t('refundPage.state'),
      cell: (refund) => <RefundState refund={refund} />,
    },
    {
      key: 'created',
      header: t('refundPage.created'),
      cell: ({ createTime }) => schoolTime(createTime),
    },
  ]
}

/** The state; while the provider refuses, also why, how often and when it is asked again. */
function RefundState({ refund }: { readonly refund: Refund }) {
  const { t } = useText()
  const { state, failure, attempts, nextTryAt } = refund
  return (
    <>
      <Tag minimal intent={failure === null ? tones[state] : 'danger'}>
        {t(`refundPage.state.${state}`)}
      </Tag>
      {failure === null ? null : (
        <div className="jw-refund__failure">
          {failure === 'provider' ? t('refundPage.providerFailed') : failure}
          {nextTryAt === null ? null : (
            <div className="jw-muted">
              {t('refundPage.nextTry', { n: attempts, time: schoolTime(nextTryAt) })}
            </div>
          )}
        </div>
      )}
    </>
  )
}

function RefundRowActions({
  refund,
  onDecide,
}: {
  readonly refund: Refund
  readonly onDecide: (agree: boolean) => void
}) {
  const { t } = useText()
  if (!refund.mayDecide)
    return refund.state === 'REQUESTED' ? (
      <span className="jw-muted">{t('refundPage.needsOther')}</span>
    ) : null
  return (
    <span className="jw-row-actions">
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('refundPage.agree')}
        onClick={() => onDecide(true)}
      />
      <Button
        variant="minimal"
        size="small"
        intent="danger"
        text={t('refundPage.reject')}
        onClick={() => onDecide(false)}
      />
    </span>
  )
}
