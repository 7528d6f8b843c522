import { Button, DialogBody, DialogFooter, FormGroup, TextArea } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { useAction } from '../../ui/resource/use-resource.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../ui/overlays/cancel-button.tsx'

const minReason = 2

interface Props {
  readonly number: string
  readonly onRevoked: () => void
}

/** Revokes the document on the page; for staff with the permission. */
export function RevokeButton({ number, onRevoked }: Props) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="outlined"
        intent="danger"
        text={t('verify.revoke')}
        onClick={() => setOpen(true)}
      />
      {open ? (
        <RevokeDialog number={number} onRevoked={onRevoked} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

function RevokeDialog({ number, onRevoked, onClose }: Props & { readonly onClose: () => void }) {
  const { locale, t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const id = useId()
  const [reason, setReason] = useState('')
  const [isShort, setShort] = useState(false)
  const revoke = useAction(
    (given: string) => api.verify.revoke({ body: { number, reason: given } }),
    {
      onDone: () => {
        onClose()
        toast('success', t('verify.revokeDone', { number }))
        onRevoked()
      },
    },
  )
  const fault = isShort
    ? t('verify.reasonShort')
    : revoke.problem === null
      ? null
      : problemText(locale, revoke.problem)
  const submit = () => {
    const tooShort = reason.trim().length < minReason
    setShort(tooShort)
    if (!tooShort) revoke.start(reason)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${t('verify.revoke')} ${number}`}
      className="jw-dialog--narrow"
      canOutsideClickClose={false}
    >
      <DialogBody>
        <Unsaved when={reason.trim() !== ''} />
        <p>{t('verify.revokeText')}</p>
        <FormGroup
          label={t('verify.revokeReason')}
          labelFor={id}
          {...(fault === null ? {} : { intent: 'danger' as const, helperText: fault })}
        >
          <TextArea
            id={id}
            fill
            autoFocus
            maxLength={200}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
              setShort(false)
              revoke.dismiss()
            }}
          />
        </FormGroup>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <CancelButton onClick={onClose} />
            <Button
              intent="danger"
              loading={revoke.isActing}
              text={t('verify.revoke')}
              onClick={submit}
            />
          </>
        }
      />
    </Dialog>
  )
}
