import { Alert } from '@blueprintjs/core'
import { useText } from '../../app/text-context.ts'
import { useFocusReturn } from './layers.ts'

interface Props {
  readonly isOpen: boolean
  readonly text: string
  readonly confirmText?: string
  readonly onAnswer: (yes: boolean) => void
}

/** A yes-or-no dialog that is open while a machine is in the state that asks. */
export function Ask({ isOpen, text, confirmText, onAnswer }: Props) {
  const { t } = useText()
  useFocusReturn(isOpen)
  return (
    <Alert
      isOpen={isOpen}
      intent="danger"
      className="jw-alert"
      canEscapeKeyCancel
      confirmButtonText={confirmText ?? t('common.ok')}
      cancelButtonText={t('common.cancel')}
      onConfirm={() => onAnswer(true)}
      onCancel={() => onAnswer(false)}
    >
      <p>{text}</p>
    </Alert>
  )
}
