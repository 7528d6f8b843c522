import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { Dialog } from './dialog.tsx'
import { CancelButton } from './cancel-button.tsx'

interface Props {
  readonly title: string
  readonly intent: 'primary' | 'danger'
  /** Label of the submit button. */
  readonly action: string
  readonly isActing: boolean
  readonly problem: Problem | null
  /** The fault that its machine finds. */
  readonly fault?: string | null
  readonly canSubmit?: boolean
  /** Words the missing part; null: the form may be sent. */
  readonly missing?: () => string | null
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form for one action. It names what is missing, or what the server refused, above its fields. */
export function ActionDialog({
  title,
  intent,
  action,
  isActing,
  problem,
  fault: found = null,
  canSubmit = true,
  missing = () => null,
  onSubmit,
  onClose,
  children,
}: Props) {
  const { locale } = useText()
  const [isTyped, setTyped] = useState(false)
  const [lack, setLack] = useState<string | null>(null)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation() // React events bubble through the portal to a form around the dialog
    const missed = missing()
    setLack(missed)
    if (missed === null) onSubmit()
  }
  const fault = lack ?? found ?? (problem === null ? null : problemText(locale, problem))
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      className="jw-calm jw-dialog--narrow"
      canOutsideClickClose={false}
    >
      <Unsaved when={isTyped && !isActing} />
      <form onSubmit={submit} onInput={() => setTyped(true)} noValidate>
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
              <CancelButton onClick={onClose} />
              <Button
                type="submit"
                intent={intent}
                loading={isActing}
                disabled={!canSubmit}
                text={action}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}
