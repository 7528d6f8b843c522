import { Button, Classes, H2, Overlay2 } from '@blueprintjs/core'
import { SmallCross } from '@blueprintjs/icons'
import { t } from '@jiaowu/api/texts/index'
import { type ReactNode, type SyntheticEvent, useId } from 'react'
import { UnsavedContext, useUnsavedLayer } from '../../app/unsaved.ts'
import { useSettings } from '../../app/settings.ts'
import { useHeldLayout } from '../../app/use-narrow.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose?: (event?: SyntheticEvent<HTMLElement>) => void
  /** Shown in a header, with a close button unless `isCloseButtonShown` is false. */
  readonly title?: ReactNode
  /** The accessible name where there is no title. */
  readonly label?: string
  readonly isCloseButtonShown?: boolean
  readonly canEscapeKeyClose?: boolean
  readonly canOutsideClickClose?: boolean
  /** False: `onClose` asks by itself about what is unsaved. */
  readonly guards?: boolean
  readonly className: string
  readonly children?: ReactNode
}

/** A dialog in the middle of the window. The close button of Blueprint's own is named in English only. */
export function Dialog({
  isOpen,
  onClose: closeNow,
  title,
  label,
  isCloseButtonShown = true,
  canEscapeKeyClose = true,
  canOutsideClickClose = true,
  guards = true,
  className,
  children,
}: Props) {
  const { layer, close } = useUnsavedLayer(closeNow, guards)
  const onClose = guards && closeNow !== undefined ? close : closeNow
  const titleId = useId()
  useHeldLayout(isOpen)
  const name = title === undefined ? { 'aria-label': label } : { 'aria-labelledby': titleId }
  return (
    <Overlay2
      isOpen={isOpen}
      {...(onClose === undefined ? {} : { onClose })}
      canEscapeKeyClose={canEscapeKeyClose}
      canOutsideClickClose={canOutsideClickClose}
      className={Classes.OVERLAY_SCROLL_CONTAINER}
    >
      <div className={Classes.DIALOG_CONTAINER}>
        <div className={`${Classes.DIALOG} ${className}`} role="dialog" aria-modal {...name}>
          {title === undefined ? null : (
            <div className={Classes.DIALOG_HEADER}>
              <H2 id={titleId}>{title}</H2>
              {isCloseButtonShown ? <CloseButton size={16} onClick={onClose} /> : null}
            </div>
          )}
          <UnsavedContext value={layer}>{children}</UnsavedContext>
        </div>
      </div>
    </Overlay2>
  )
}

/** The cross at the end of a header. */
export function CloseButton({
  size,
  onClick,
}: {
  readonly size: 16 | 20
  readonly onClick: ((event: SyntheticEvent<HTMLElement>) => void) | undefined
}) {
  const { locale } = useSettings()
  return (
    <Button
      aria-label={t(locale, 'common.close')}
      className={Classes.DIALOG_CLOSE_BUTTON}
      icon={<SmallCross size={size} />}
      {...(onClick === undefined ? {} : { onClick })}
      variant="minimal"
    />
  )
}
