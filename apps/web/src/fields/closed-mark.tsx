import { Lock } from '@blueprintjs/icons'
import { useText } from '../app/text-context.ts'

/** Marks a field that the state of its record's flow keeps from being edited. */
export function ClosedMark({ state }: { readonly state: string }) {
  const { t } = useText()
  const tip = t('field.closed', { state })
  return (
    <span className="jw-closed" role="img" title={tip} aria-label={tip}>
      <Lock size={12} />
    </span>
  )
}
