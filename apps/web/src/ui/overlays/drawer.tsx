import { Classes, H4, Overlay2 } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { UnsavedContext, useUnsavedLayer } from '../../app/unsaved.ts'
import { useHeldLayout } from '../../app/use-narrow.ts'
import { CloseButton } from './dialog.tsx'
import { closeByLayer, useEarlyEscape, useFocusReturn } from './layers.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Shown in a header with a close button. */
  readonly title?: ReactNode
  /** The accessible name where there is no title. */
  readonly label?: string
  readonly position?: 'left' | 'right'
  /** A CSS width; empty: the class decides. */
  readonly size: string
  readonly className: string
  readonly canOutsideClickClose?: boolean
  /** False: `onClose` asks by itself about what is unsaved. */
  readonly guards?: boolean
  readonly children?: ReactNode
}

/**
 * A panel at the side of the window. Blueprint's own has no role, so that screen readers do not
 * announce it as a dialog with a name.
 */
export function Drawer({
  isOpen,
  onClose: closeNow,
  title,
  label,
  position = 'right',
  size,
  className,
  canOutsideClickClose = true,
  guards = true,
  children,
}: Props) {
  const { layer, close } = useUnsavedLayer<never>(closeNow, guards)
  const onClose = guards ? () => close() : closeNow
  const titleId = useId()
  useHeldLayout(isOpen)
  useFocusReturn(isOpen)
  useEarlyEscape(isOpen, onClose)
  const name = title === undefined ? { 'aria-label': label } : { 'aria-labelledby': titleId }
  return (
    <Overlay2
      isOpen={isOpen}
      onClose={closeByLayer(onClose)}
      canOutsideClickClose={canOutsideClickClose}
      shouldReturnFocusOnClose={false}
    >
      <div
        className={`${Classes.DRAWER} ${Classes.positionClass(position) ?? ''} ${className}`}
        style={size === '' ? {} : { width: size }}
        role="dialog"
        aria-modal
        {...name}
      >
        {title === undefined ? null : (
          <div className={Classes.DRAWER_HEADER}>
            <H4 id={titleId}>{title}</H4>
            <CloseButton size={20} onClick={onClose} />
          </div>
        )}
        <UnsavedContext value={layer}>{children}</UnsavedContext>
      </div>
    </Overlay2>
  )
}
