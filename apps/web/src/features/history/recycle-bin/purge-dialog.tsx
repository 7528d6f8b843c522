import { Button, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { type SubmitEvent, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'

interface Props {
  /** Number of records to purge; the user types it to confirm. */
  readonly count: number
  /** Names of the first rows, as far as they are on the page. */
  readonly names: readonly string[]
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onPurge: () => void
  readonly onClose: () => void
}

/** Purging cannot be undone, so the user types the number of records first. */
export function PurgeDialog({ count, names, isActing, problem, onPurge, onClose }: Props) {
  const { t, locale } = useText()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim() === String(count)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isConfirmed) onPurge()
  }
  return (
    <Dialog
      isOpen
      title={t('recycle.purge')}
      onClose={onClose}
      className="jw-calm jw-purge jw-dialog--narrow"
      canOutsideClickClose={false}
    >
      <form onSubmit={submit} noValidate>
        <DialogBody>
          {problem === null ? null : (
            <p className="jw-fault" role="alert">
              {problemText(locale, problem)}
            </p>
          )}
          <p>{t('recycle.purgeText', { n: count })}</p>
          {names.length === 0 ? null : (
            <p className="jw-muted">{`${names.join('、')}${names.length < count ? '…' : ''}`}</p>
          )}
          <InputGroup
            autoFocus
            autoComplete="off"
            inputMode="numeric"
            aria-label={t('recycle.purgeTyped', { n: count })}
            placeholder={t('recycle.purgeTyped', { n: count })}
            value={typed}
            onValueChange={setTyped}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <CancelButton onClick={onClose} />
              <Button
                type="submit"
                intent="danger"
                disabled={!isConfirmed}
                loading={isActing}
                text={t('recycle.purge')}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}
