import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import type { ReactNode, SubmitEvent } from 'react'
import { useText } from '../../../app/text-context.ts'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'
import { OutcomeText, ProblemLines } from './outcome.tsx'
import type { usePreview } from './use-preview.ts'

interface Props<Act, Outcome extends TableOutcome> {
  readonly preview: ReturnType<typeof usePreview<Act, Outcome>>
  /** The change that the fields describe; null while they are incomplete. */
  readonly act: Act | null
  /** Label of the button that makes the change. */
  readonly action: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Fields that describe a change of a table; then what will be done, which a second button does. */
export function PreviewForm<Act, Outcome extends TableOutcome>({
  preview: { asked, problem, isBusy, ask, make, forget },
  act,
  action,
  onClose,
  children,
}: Props<Act, Outcome>) {
  const { t } = useText()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (act === null) return
    if (asked === null) ask(act)
    else make(asked.act)
  }
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        {asked === null ? children : <OutcomeText outcome={asked.outcome} />}
        <ProblemLines problem={problem} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {asked === null ? null : (
              <Button disabled={isBusy} text={t('tableChange.edit')} onClick={forget} />
            )}
            <CancelButton disabled={isBusy} onClick={onClose} />
            <Button
              type="submit"
              intent="primary"
              loading={isBusy}
              disabled={act === null}
              text={asked === null ? t('tableChange.look') : action}
            />
          </>
        }
      />
    </form>
  )
}
