import { Lock } from '@blueprintjs/icons'

/** Marks a field that a flow keeps from being edited, and tells why. */
export function ClosedMark({ reason }: { readonly reason: string }) {
  return (
    <span className="jw-closed" role="img" title={reason} aria-label={reason}>
      <Lock size={12} />
    </span>
  )
}
