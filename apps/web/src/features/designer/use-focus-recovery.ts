import { type RefObject, useEffect, useRef } from 'react'

/**
 * Restores the focus after the focused element was removed or disabled, or was inert during a save:
 * to the same element if possible, else to the nearest remaining part of the page around it. A page
 * that opens takes the focus unless an element inside has it.
 *
 * @param isSuspended a dialog covers the page, or the page is saving: do nothing until that ends.
 */
export function useFocusRecovery(page: RefObject<HTMLElement | null>, isSuspended: boolean): void {
  const last = useRef<{
    readonly element: HTMLElement
    readonly parts: readonly HTMLElement[]
  } | null>(null)
  const restore = useRef(() => {})
  restore.current = () => {
    const was = last.current
    if (was === null || isSuspended || !isFocusLost(page.current)) return
    // React may have drawn the element again under another key, since saved fields get ids: find it
    // by `data-keep`.
    const { keep } = was.element.dataset
    const redrawn =
      keep === undefined
        ? null
        : (page.current?.querySelector<HTMLElement>(`[data-keep="${CSS.escape(keep)}"]`) ?? null)
    const next = [was.element, ...(redrawn === null ? [] : [redrawn]), ...was.parts].find(isUsable)
    next?.focus({ preventScroll: next !== was.element })
  }
  useEffect(() => {
    // The page takes the focus when it opens: a dialog that led here returns the focus to a button
    // that is gone.
    if (page.current !== null) last.current = { element: page.current, parts: [] }
    const onFocus = ({ target }: FocusEvent) => {
      const root = page.current
      if (root === null || !(target instanceof HTMLElement)) return
      if (root.contains(target))
        last.current = { element: target, parts: focusableAncestors(target, root) }
      // Portals (dialogs, popovers) return the focus to the page when they close, so they do not
      // clear it.
      else if (target.closest('.bp6-portal') === null && !target.contains(root)) last.current = null
    }
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget === null) requestAnimationFrame(() => restore.current())
    }
    // A click elsewhere gives up the focus on purpose.
    const onPointerDown = () => {
      last.current = null
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onBlur)
    document.addEventListener('pointerdown', onPointerDown, { capture: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
      document.removeEventListener('pointerdown', onPointerDown, { capture: true })
    }
  }, [page])
  // Check after every render, which may have removed the focused element, once the focus has
  // settled.
  useEffect(() => {
    const frame = requestAnimationFrame(() => restore.current())
    return () => cancelAnimationFrame(frame)
  })
}

/**
 * Whether the focus is on no element, on a disabled, inert or hidden one, or on one around the
 * whole page.
 */
function isFocusLost(page: HTMLElement | null): boolean {
  const { activeElement: at } = document
  return (
    at === null ||
    at === document.body ||
    !isUsable(at) ||
    (page !== null && at !== page && at.contains(page))
  )
}

function isUsable(element: Element): boolean {
  return (
    element.isConnected &&
    element.closest('[inert]') === null &&
    !element.matches(':disabled') &&
    element.getClientRects().length > 0
  )
}

/** Focusable ancestors (`tabindex="-1"`) of an element within the page, innermost first. */
function focusableAncestors(element: Element, page: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.parentElement; at !== null && page.contains(at); at = at.parentElement)
    if (at.tabIndex === -1 && at.hasAttribute('tabindex')) found.push(at)
  return found
}

/** F6 and Shift+F6 move the focus between the parts of the page. */
export function usePartKeys(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const root = page.current
      if (
        event.key !== 'F6' ||
        root === null ||
        root.getClientRects().length === 0 ||
        document.querySelector('.bp6-overlay-open .bp6-dialog, .bp6-overlay-open .bp6-drawer') !==
          null
      )
        return
      event.preventDefault()
      const parts = [...root.querySelectorAll<HTMLElement>('[data-part-of-page]')].filter(isUsable)
      const at = parts.findIndex((part) => part.contains(document.activeElement))
      const next = parts.at((at + (event.shiftKey ? (at === -1 ? 0 : -1) : 1)) % parts.length)
      const first =
        next?.querySelector<HTMLElement>('[data-field][tabindex="0"]') ??
        next?.querySelector<HTMLElement>(
          'input:not(:disabled), select, textarea, button:not(:disabled):not([tabindex="-1"])',
        )
      ;(first ?? next)?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [page])
}
