import { Classes } from '@blueprintjs/core/lib/esm/common/index.js'
import type { TextProps } from '@blueprintjs/core'
import { createElement, forwardRef, type HTMLAttributes, type MouseEvent } from 'react'

/**
 * Stands in for Blueprint's `Text` in the build (vite-blueprint.ts), the inside of its buttons, tags and menu items.
 * That one measures itself and renders again whenever it is shown, on a page of a list a hundred times before the
 * page is painted, to show a cut text as `title`. This one measures when the pointer comes.
 */
export const Text = forwardRef<HTMLElement, TextProps & HTMLAttributes<HTMLElement>>(
  ({ children, tagName = 'div', title, className, ellipsize = false, ...htmlProps }, ref) =>
    createElement(
      tagName,
      {
        ...htmlProps,
        ref,
        title,
        className: [ellipsize ? Classes.TEXT_OVERFLOW_ELLIPSIS : '', className ?? '']
          .filter((name) => name !== '')
          .join(' '),
        ...(ellipsize && title === undefined && { onMouseEnter: showCutText }),
      },
      children,
    ),
)

function showCutText({ currentTarget }: MouseEvent<HTMLElement>): void {
  if (currentTarget.scrollWidth > currentTarget.clientWidth)
    currentTarget.title = currentTarget.textContent
  else currentTarget.removeAttribute('title')
}
