import { Classes, PopoverNext, type PopoverNextProps } from '@blueprintjs/core'
import { useRef } from 'react'
import { isTrap, rememberOpener } from './layers.ts'

/**
 * Popover with the product's defaults. After it has faded out it returns the focus to the element
 * that had it before, unless the user has moved the focus meanwhile; Blueprint's own return would
 * move it away from the next dialog or field.
 */
export function Popover({
  onOpening,
  onClosed,
  ...props
}: Omit<PopoverNextProps, 'shouldReturnFocusOnClose'>) {
  const focusedBefore = useRef<Element | null>(null)
  return (
    <PopoverNext
      arrow={false}
      animation="minimal"
      placement="bottom-end"
      {...props}
      shouldReturnFocusOnClose={false}
      onOpening={(node) => {
        focusedBefore.current = document.activeElement
        rememberOpener(node, document.activeElement)
        onOpening?.(node)
      }}
      onClosed={(node) => {
        if (
          hasKeptFocus(node) &&
          focusedBefore.current instanceof HTMLElement &&
          !isTrap(focusedBefore.current) &&
          !node.contains(focusedBefore.current)
        )
          focusedBefore.current.focus()
        onClosed?.(node)
      }}
    />
  )
}

/** Whether the focus is still in the popover, or on no element. */
function hasKeptFocus(popover: HTMLElement): boolean {
  const at = document.activeElement
  return (
    at === null ||
    at === document.body ||
    isTrap(at) ||
    popover.closest(`.${Classes.PORTAL}`)?.contains(at) === true
  )
}
