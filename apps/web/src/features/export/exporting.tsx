import { Button, ProgressBar } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useText } from '../../app/text-context.ts'

/** Progress of a running export with a cancel button. */
export function Exporting({
  bytes,
  onCancel,
}: {
  readonly bytes: number
  readonly onCancel: () => void
}) {
  const { t } = useText()
  const text = t('list.exporting', { size: sizeText(bytes) })
  return (
    <span className="jw-export" role="status">
      <span>{text}</span>
      <ProgressBar aria-label={text} className="jw-export__bar" />
      <Button
        size="small"
        variant="minimal"
        icon={<Cross />}
        aria-label={t('common.cancel')}
        onClick={onCancel}
      />
    </span>
  )
}

/** Bytes as KB or MB: the first chunk of a small export shows "0 KB", never bytes. */
function sizeText(bytes: number): string {
  return bytes < 1_048_576
    ? `${Math.round(bytes / 1024)} KB`
    : `${(bytes / 1_048_576).toFixed(1)} MB`
}
