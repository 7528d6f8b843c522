import { PortalProvider } from '@blueprintjs/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

const hostId = 'jw-overlays'

/** Dialogs, drawers and popovers of one view: out of sight while another is in front, and there again as they were when it comes back, keyboard included. */
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
    box.hidden = !active
    if (!active) return undefined
    if (focused.current?.isConnected === true) focused.current.focus()
    return () => {
      const at = document.activeElement
      focused.current = at instanceof HTMLElement && box.contains(at) ? at : null
    }
  }, [active, box])
  return <PortalProvider portalContainer={box}>{children}</PortalProvider>
}

/** Between the application and what stands over every view (a question, the end of the session), which opens at the end of the page. */
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
