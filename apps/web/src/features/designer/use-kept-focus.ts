import { type RefObject, useEffect, useRef } from 'react'

/**
 * The keyboard is not lost when what had it is taken away, disabled, or rests while the page saves: it stays with that, else it goes to the
 * nearest part of the page that is left. A page that opens takes it up, unless something else of it has it. `isResting`: something stands
 * before the page, or it is being saved.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>, isResting: boolean): void {
  const last = useRef<{
    readonly element: HTMLElement
    readonly parts: readonly HTMLElement[]
  } | null>(null)
  const take = useRef(() => {})
  take.current = () => {
    const was = last.current
    if (was === null || isResting || !isNowhere(page.current)) return
    // Drawn anew under another key (what is saved gets ids), it is still the same thing to a person.
    const { keep } = was.element.dataset
    const again =
      keep === undefined
        ? null
        : (page.current?.querySelector<HTMLElement>(`[data-keep="${CSS.escape(keep)}"]`) ?? null)
    const next = [was.element, ...(again === null ? [] : [again]), ...was.parts].find(isUsable)
    next?.focus({ preventScroll: next !== was.element })
  }
  useEffect(() => {
    // A page that opens; a dialog that led here gives the keyboard back to what opened it, which is not in sight any more.
    if (page.current !== null) last.current = { element: page.current, parts: [] }
    const onFocus = ({ target }: FocusEvent) => {
      const root = page.current
      if (root === null || !(target instanceof HTMLElement)) return
      if (root.contains(target)) last.current = { element: target, parts: around(target, root) }
      // What opens over the page gives the keyboard back to it.
      else if (target.closest('.bp6-portal') === null && !target.contains(root)) last.current = null
    }
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget === null) requestAnimationFrame(() => take.current())
    }
    // Who points elsewhere lets go on purpose.
    const onPoint = () => {
      last.current = null
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onBlur)
    document.addEventListener('pointerdown', onPoint, { capture: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
      document.removeEventListener('pointerdown', onPoint, { capture: true })
    }
  }, [page])
  // After every change of the page, once the keyboard is where it was going: each may take away what had it.
  useEffect(() => {
    const frame = requestAnimationFrame(() => take.current())
    return () => cancelAnimationFrame(frame)
  })
}

/** Nothing of use has the keyboard: nothing at all, what rests or is gone, or something around the whole page. */
function isNowhere(page: HTMLElement | null): boolean {
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

/** The parts of the page around an element that can take the keyboard themselves, from the inside out. */
function around(element: Element, page: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.parentElement; at !== null && page.contains(at); at = at.parentElement)
    if (at.tabIndex === -1 && at.hasAttribute('tabindex')) found.push(at)
  return found
}

/** F6 and Shift+F6 go from part to part of the page. */
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
