import { FormGroup, InputGroup, TextArea } from '@blueprintjs/core'
import type { Problem } from '@jiaowu/api/problem'
import type { Refund } from '@jiaowu/api/contract/student/print'
import { useId, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'
import { yuan } from './yuan.ts'

const maxReason = 200
const minReason = 2

/**
 * Requests a refund of an order; a second person decides on it (docs/rules/security.md#payments).
 */
export function RequestRefund({
  orderNo,
  isActing,
  problem,
  onSubmit,
  onClose,
}: {
  readonly orderNo: string
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onSubmit: (request: { readonly orderNo: string; readonly reason: string }) => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const id = useId()
  const [no, setNo] = useState(orderNo)
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title={t('refundPage.request')}
      intent="primary"
      action={t('common.submit')}
      isActing={isActing}
      problem={problem}
      missing={() => (reason.trim().length < minReason ? t('refundPage.reasonNeeded') : null)}
      onSubmit={() => onSubmit({ orderNo: no.trim(), reason: reason.trim() })}
      onClose={onClose}
    >
      <p className="jw-muted">{t('refundPage.requestHint')}</p>
      <FormGroup label={t('refundPage.orderNo')} labelFor={`${id}-order`}>
        <InputGroup
          id={`${id}-order`}
          autoFocus={orderNo === ''}
          maxLength={32}
          value={no}
          onValueChange={setNo}
        />
      </FormGroup>
      <FormGroup label={t('refundPage.reason')} labelFor={`${id}-reason`}>
        <TextArea
          id={`${id}-reason`}
          fill
          rows={3}
          maxLength={maxReason}
          autoFocus={orderNo !== ''}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </FormGroup>
    </ActionDialog>
  )
}

/** The second person's decision on a refund. */
export function DecideRefund({
  refund,
  agree,
  isActing,
  problem,
  onSubmit,
  onClose,
}: {
  readonly refund: Refund
  readonly agree: boolean
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onSubmit: () => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const title = t(agree ? 'refundPage.agree' : 'refundPage.reject')
  return (
    <ActionDialog
      title={title}
      intent={agree ? 'primary' : 'danger'}
      action={title}
      isActing={isActing}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>
        {t('refundPage.decideHint', {
          orderNo: refund.orderNo,
          amount: yuan(refund.amountFen),
          person: refund.requestedBy ?? '—',
        })}
      </p>
      <p className="jw-muted">{refund.reason}</p>
    </ActionDialog>
  )
}
