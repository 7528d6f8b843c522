import { PortalProvider } from '@blueprintjs/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

const hostId = 'jw-overlays'

/**
 * Hosts the dialogs, drawers and popovers of one view. They are hidden while another view is
 * active; focus returns to them with the view.
 */
export function ViewOverlays({
  active,
  children,
}: {
  readonly active: boolean
  readonly children: ReactNode
}) {
  const [box] = useState(() => document.createElement('div'))
  const focused = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    overlayHost().append(box)
    return () => box.remove()
  }, [box])
  useLayoutEffect(() => {
    box.toggleAttribute('hidden', !active)
    if (!active) return undefined
    if (focused.current?.isConnected === true) focused.current.focus()
    return () => {
      const at = document.activeElement
      focused.current = at instanceof HTMLElement && box.contains(at) ? at : null
    }
  }, [active, box])
  return <PortalProvider portalContainer={box}>{children}</PortalProvider>
}

/**
 * Parent of all views' overlays. It precedes the overlays of the application (confirmations, end of
 * session), which open at the end of the body.
 */
function overlayHost(): HTMLElement {
  const known = document.getElementById(hostId)
  if (known !== null) return known
  const made = document.createElement('div')
  made.id = hostId
  const root = document.getElementById('root')
  if (root === null) document.body.append(made)
  else root.after(made)
  return made
}
