import { MenuItem } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'

/**
 * A menu item that opens another menu. In a portal: without one Blueprint puts the live region of
 * its overlay into the outer menu, where only items may be.
 */
export function Submenu({
  icon,
  text,
  children,
}: {
  readonly icon?: ReactElement | undefined
  readonly text: string
  readonly children: ReactNode
}) {
  return (
    <MenuItem icon={icon} text={text} popoverProps={{ usePortal: true }}>
      {children}
    </MenuItem>
  )
}
