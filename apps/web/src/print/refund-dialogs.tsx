import { Button, Dialog, DialogBody, DialogFooter, FormGroup, InputGroup, TextArea } from '@blueprintjs/core'
import { problemOf, problemText, type Refund } from '@jiaowu/api'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useApp } from '../app/app-context.tsx'

const maxReason = 200
const minReason = 2

interface WriteProps { readonly title: string; readonly intent: 'primary' | 'danger'; readonly action: string; readonly note: string; readonly mustWrite: boolean; readonly children?: ReactNode; readonly send: (note: string) => Promise<void>; readonly onClose: () => void }

/** A few words and one call; what the server refuses is said here. */
const WriteDialog = ({ title, intent, action, note, mustWrite, children, send, onClose }: WriteProps) => {
  const { t, locale } = useApp()
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (mustWrite && text.trim().length < minReason) { setFault(t('refundPage.reasonNeeded')); return }
    setBusy(true)
    try {
      await send(text.trim())
    } catch (error) {
      setFault(problemText(locale, problemOf(error)))
      setBusy(false)
    }
  }
  return (
    <Dialog isOpen title={title} onClose={onClose} className="jw-calm jw-dialog--narrow" canOutsideClickClose={false}>
      <form onSubmit={(event) => { void submit(event) }} noValidate>
        <DialogBody>
          {fault === null ? null : <p className="jw-fault" role="alert">{fault}</p>}
          {children}
          <FormGroup label={note} labelFor="refund-note"><TextArea id="refund-note" fill rows={3} maxLength={maxReason} value={text} onChange={(event) => setText(event.target.value)} /></FormGroup>
        </DialogBody>
        <DialogFooter actions={<><Button text={t('common.cancel')} onClick={onClose} /><Button type="submit" intent={intent} loading={busy} text={action} /></>} />
      </form>
    </Dialog>
  )
}

/** Asks for money back; somebody else has to agree (security §3). */
export const RequestRefund = ({ orderNo, onDone, onClose }: { readonly orderNo: string; readonly onDone: () => void; readonly onClose: () => void }) => {
  const { t, api, toast } = useApp()
  const [no, setNo] = useState(orderNo)
  const send = async (reason: string) => {
    await api.print.requestRefund({ body: { orderNo: no.trim(), reason } })
    toast('success', t('refundPage.requested'), { lasting: true })
    onDone()
  }
  return (
    <WriteDialog title={t('refundPage.request')} intent="primary" action={t('common.submit')} note={t('refundPage.reason')} mustWrite send={send} onClose={onClose}>
      <p className="jw-muted">{t('refundPage.requestHint')}</p>
      <FormGroup label={t('refundPage.orderNo')} labelFor="refund-order"><InputGroup id="refund-order" autoFocus={orderNo === ''} maxLength={32} value={no} onValueChange={setNo} /></FormGroup>
    </WriteDialog>
  )
}

/** The second person's word. */
export const DecideRefund = ({ refund, agree, onDone, onClose }: { readonly refund: Refund; readonly agree: boolean; readonly onDone: () => void; readonly onClose: () => void }) => {
  const { t, api, toast } = useApp()
  const send = async (note: string) => {
    await api.print.decideRefund({ params: { id: refund.id }, body: { agree, ...(note === '' ? {} : { note }) } })
    toast('success', t(agree ? 'refundPage.agreed' : 'refundPage.rejectedDone'), { lasting: true })
    onDone()
  }
  return (
    <WriteDialog title={t(agree ? 'refundPage.agree' : 'refundPage.reject')} intent={agree ? 'primary' : 'danger'} action={t(agree ? 'refundPage.agree' : 'refundPage.reject')} note={t('refundPage.note')} mustWrite={false} send={send} onClose={onClose}>
      <p>{t('refundPage.decideHint', { orderNo: refund.orderNo, amount: (refund.amountFen / 100).toFixed(2), person: refund.requestedBy ?? '—' })}</p>
      <p className="jw-muted">{refund.reason}</p>
    </WriteDialog>
  )
}
