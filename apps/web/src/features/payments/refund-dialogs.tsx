import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  FormGroup,
  InputGroup,
  TextArea,
} from '@blueprintjs/core'
import { problemOf, problemText, type Refund } from '@jiaowu/api'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'

const maxReason = 200
const minReason = 2

interface AskProps {
  readonly title: string
  readonly intent: 'primary' | 'danger'
  readonly action: string
  readonly send: () => Promise<void>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** One call; what is missing, or what the server refuses, is said here. */
export function AskDialog({ title, intent, action, send, onClose, children }: AskProps) {
  const { t, locale } = useApp()
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    try {
      await send()
    } catch (error) {
      setFault(typeof error === 'string' ? error : problemText(locale, problemOf(error)))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      className="jw-calm jw-dialog--narrow"
      canOutsideClickClose={false}
    >
      <form
        onSubmit={(event) => {
          void submit(event)
        }}
        noValidate
      >
        <DialogBody>
          {fault === null ? null : (
            <p className="jw-fault" role="alert">
              {fault}
            </p>
          )}
          {children}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('common.cancel')} onClick={onClose} />
              <Button type="submit" intent={intent} loading={busy} text={action} />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

/** Asks for money back; somebody else has to agree (docs/rules/security.md#payments). */
export function RequestRefund({
  orderNo,
  onDone,
  onClose,
}: {
  readonly orderNo: string
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { t, api, toast } = useApp()
  const [no, setNo] = useState(orderNo)
  const [reason, setReason] = useState('')
  const send = async () => {
    if (reason.trim().length < minReason) throw t('refundPage.reasonNeeded')
    await api.print.requestRefund({ body: { orderNo: no.trim(), reason: reason.trim() } })
    toast('success', t('refundPage.requested'), { lasting: true })
    onDone()
  }
  return (
    <AskDialog
      title={t('refundPage.request')}
      intent="primary"
      action={t('common.submit')}
      send={send}
      onClose={onClose}
    >
      <p className="jw-muted">{t('refundPage.requestHint')}</p>
      <FormGroup label={t('refundPage.orderNo')} labelFor="refund-order">
        <InputGroup
          id="refund-order"
          autoFocus={orderNo === ''}
          maxLength={32}
          value={no}
          onValueChange={setNo}
        />
      </FormGroup>
      <FormGroup label={t('refundPage.reason')} labelFor="refund-reason">
        <TextArea
          id="refund-reason"
          fill
          rows={3}
          maxLength={maxReason}
          autoFocus={orderNo !== ''}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </FormGroup>
    </AskDialog>
  )
}

/** The second person's word. */
export function DecideRefund({
  refund,
  agree,
  onDone,
  onClose,
}: {
  readonly refund: Refund
  readonly agree: boolean
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { t, api, toast } = useApp()
  const title = t(agree ? 'refundPage.agree' : 'refundPage.reject')
  const send = async () => {
    await api.print.decideRefund({ params: { id: refund.id }, body: { agree } })
    toast('success', t(agree ? 'refundPage.agreed' : 'refundPage.rejectedDone'), { lasting: true })
    onDone()
  }
  return (
    <AskDialog
      title={title}
      intent={agree ? 'primary' : 'danger'}
      action={title}
      send={send}
      onClose={onClose}
    >
      <p>
        {t('refundPage.decideHint', {
          orderNo: refund.orderNo,
          amount: (refund.amountFen / 100).toFixed(2),
          person: refund.requestedBy ?? '—',
        })}
      </p>
      <p className="jw-muted">{refund.reason}</p>
    </AskDialog>
  )
}
