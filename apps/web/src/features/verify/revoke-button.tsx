import { Button, Dialog, DialogBody, DialogFooter, FormGroup, TextArea } from '@blueprintjs/core'
import { problemOf, problemText } from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'

const shortest = 2

/** For staff who may: ends the document that is shown. */
export function RevokeButton({
  number,
  onRevoked,
}: {
  readonly number: string
  readonly onRevoked: () => void
}) {
  const { api, locale, t, toast } = useApp()
  const [open, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const revoke = async () => {
    if (reason.trim().length < shortest) {
      setFault(t('verify.reasonShort'))
      return
    }
    setBusy(true)
    try {
      await api.verify.revoke({ body: { number, reason } })
      setOpen(false)
      toast('success', t('verify.revokeDone', { number }))
      onRevoked()
    } catch (error) {
      setFault(problemText(locale, problemOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        variant="outlined"
        intent="danger"
        text={t('verify.revoke')}
        onClick={() => {
          setReason('')
          setFault(null)
          setOpen(true)
        }}
      />
      <Dialog
        isOpen={open}
        onClose={() => setOpen(false)}
        title={`${t('verify.revoke')} ${number}`}
        className="jw-dialog--narrow"
        canOutsideClickClose={false}
      >
        <DialogBody>
          <p>{t('verify.revokeText')}</p>
          <FormGroup
            label={t('verify.revokeReason')}
            labelFor="revoke-reason"
            {...(fault === null ? {} : { intent: 'danger' as const, helperText: fault })}
          >
            <TextArea
              id="revoke-reason"
              fill
              autoFocus
              maxLength={200}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value)
                setFault(null)
              }}
            />
          </FormGroup>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('common.cancel')} onClick={() => setOpen(false)} />
              <Button
                intent="danger"
                loading={busy}
                text={t('verify.revoke')}
                onClick={() => {
                  void revoke()
                }}
              />
            </>
          }
        />
      </Dialog>
    </>
  )
}
