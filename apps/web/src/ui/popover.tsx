import { Classes, PopoverNext, type PopoverNextProps } from '@blueprintjs/core'
import { useRef } from 'react'

/**
 * The house's popover. Once it has faded out the keyboard goes back to where it came from, unless the person is elsewhere already:
 * Blueprint's own return would pull a quick hand out of the dialog or field it went on to.
 */
export function Popover({
  onOpening,
  onClosed,
  ...props
}: Omit<PopoverNextProps, 'shouldReturnFocusOnClose'>) {
  const from = useRef<Element | null>(null)
  return (
    <PopoverNext
      arrow={false}
      animation="minimal"
      placement="bottom-end"
      {...props}
      shouldReturnFocusOnClose={false}
      onOpening={(node) => {
        from.current = document.activeElement
        onOpening?.(node)
      }}
      onClosed={(node) => {
        if (isLeftBehind(node) && from.current instanceof HTMLElement) from.current.focus()
        onClosed?.(node)
      }}
    />
  )
}

/** Whether the keyboard is still where a popover was, or nowhere. */
function isLeftBehind(popover: HTMLElement): boolean {
  const at = document.activeElement
  return (
    at === null ||
    at === document.body ||
    popover.closest(`.${Classes.PORTAL}`)?.contains(at) === true
  )
}
