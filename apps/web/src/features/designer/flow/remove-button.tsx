import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useText } from '../../../app/text-context.ts'

/** A small cross that removes the named part. */
export function RemoveButton({
  label,
  onRemove,
}: {
  readonly label: string
  readonly onRemove: () => void
}) {
  const { t } = useText()
  return (
    <Button
      variant="minimal"
      size="small"
      icon={<Cross size={14} />}
      aria-label={`${t('designer.remove')} ${label}`}
      onClick={onRemove}
    />
  )
}
