import { Button } from '@blueprintjs/core'
import { use } from 'react'
import { useText } from '../../app/text-context.ts'
import { UnsavedContext } from '../../app/unsaved.ts'

interface Props {
  readonly onClick: () => void
  readonly disabled?: boolean
}

/** Cancels the dialog or drawer around it, after a question where that has unsaved input. */
export function CancelButton({ onClick, disabled = false }: Props) {
  const { t } = useText()
  const { leave } = use(UnsavedContext)
  return (
    <Button
      text={t('common.cancel')}
      disabled={disabled}
      onClick={() => (leave === undefined ? onClick() : leave(onClick))}
    />
  )
}
