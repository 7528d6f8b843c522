import { Alert } from '@blueprintjs/core'
import { useApp } from '../../shell/context/app-context.tsx'

interface Props {
  readonly isOpen: boolean
  readonly text: string
  readonly confirmText?: string
  readonly onAnswer: (yes: boolean) => void
}

/** A question that a machine's state asks: open exactly as long as the machine is in it, so that an answer never comes too late. */
export function Ask({ isOpen, text, confirmText, onAnswer }: Props) {
  const { t } = useApp()
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
