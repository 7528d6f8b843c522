import { Classes } from '@blueprintjs/core'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'

/** Openers of the popovers that are in the document, by the popover's portal. */
const openers = new WeakMap<Element, Element>()

export function rememberOpener(popover: HTMLElement, opener: Element | null): void {
  const portal = findPortal(popover)
  if (portal !== null && opener !== null) openers.set(portal, opener)
}

/** The edge of a drawer or dialog, where Blueprint keeps a focus that has no better place. */
export function isTrap(element: Element): boolean {
  return /focus-trap/.test(element.className)
}

const findPortal = (element: Element) => element.closest(`.${Classes.PORTAL}`)

/**
 * The `onClose` of a drawer or dialog. Escape does not close it while it belongs to a layer above:
 * a dialog or menu in a portal of its own, or an open calendar or list whose input has the focus.
 */
export function closeByLayer(onClose: () => void) {
  return (event?: SyntheticEvent<HTMLElement>) => {
    const isEscape = event !== undefined && 'key' in event && event.key === 'Escape'
    if (isEscape && (!event.currentTarget.contains(event.target as Node) || hasOpenPopover()))
      return
    onClose()
  }
}

function hasOpenPopover(): boolean {
  return [...document.querySelectorAll(`.${Classes.POPOVER}`)].some(
    (popover) => popover.closest('[hidden],[class*="-exit"]') === null,
  )
}

/**
 * Passes an Escape that comes before the focus has moved into the popover on to it: Blueprint moves
 * the focus one frame after the popover is in the document, and hears only keys inside.
 * @returns ends the passing
 */
export function passEarlyEscape(popover: HTMLElement, opener: Element | null): () => void {
  const pass = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.target !== opener) return
    event.stopPropagation()
    popover.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  }
  document.addEventListener('keydown', pass, true)
  return () => document.removeEventListener('keydown', pass, true)
}

/** The open drawers, the last one on top. */
const openDrawers: object[] = []

/**
 * Closes the drawer on an Escape that comes before the focus has moved into it: Blueprint moves it
 * one frame after the drawer is in the document, and hears only keys inside.
 */
export function useEarlyEscape(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const drawer = {}
    openDrawers.push(drawer)
    const close = (event: KeyboardEvent) => {
      const isInLayer = event.target instanceof Element && findPortal(event.target) !== null
      if (event.key !== 'Escape' || isInLayer || openDrawers.at(-1) !== drawer) return
      if (hasOpenPopover()) return
      event.stopPropagation()
      latest.current()
    }
    document.addEventListener('keydown', close, true)
    return () => {
      document.removeEventListener('keydown', close, true)
      openDrawers.splice(openDrawers.indexOf(drawer), 1)
    }
  }, [isOpen])
}

/** Where the focus returns to: an element, or the row that it stood in. */
interface Place {
  readonly element: HTMLElement | null
  readonly row: string | null
}

/**
 * Returns the focus to where it was before the layer opened. What was chosen in a menu returns to
 * the menu's button, and a button of a row that is gone to the row.
 */
export function useFocusReturn(isOpen: boolean): void {
  const [mounted] = useState(placeNow)
  const place = useRef<Place | null>(isOpen ? mounted : null)
  const wasOpen = useRef(isOpen)
  if (isOpen && !wasOpen.current) place.current = placeNow()
  wasOpen.current = isOpen
  useEffect(() => {
    if (!isOpen) return undefined
    return () => {
      const back = place.current
      // After the layer has let go of the focus.
      setTimeout(() => {
        if (back !== null && isNowhere()) focusPlace(back)
      })
    }
  }, [isOpen])
}

function placeNow(): Place {
  let element: Element | null = document.activeElement
  for (let depth = 0; element !== null && depth < 5; depth++) {
    const portal = findPortal(element)
    const opener = portal === null ? undefined : openers.get(portal)
    if (opener === undefined) break
    element = opener
  }
  return {
    element: element instanceof HTMLElement && element !== document.body ? element : null,
    row: element?.closest<HTMLElement>('tr[data-row]')?.dataset.row ?? null,
  }
}

/** The focus is on nothing, or on something that is about to leave with its layer. */
function isNowhere(): boolean {
  const at = document.activeElement
  return (
    at === null || at === document.body || isTrap(at) || at.closest('[class*="-exit"]') !== null
  )
}

function focusPlace({ element, row }: Place): void {
  if (element?.isConnected === true) element.focus({ preventScroll: true })
  else if (row !== null)
    document
      .querySelector<HTMLElement>(`tr[data-row="${CSS.escape(row)}"]`)
      ?.focus({ preventScroll: true })
  // Opened from nowhere, or from what is hidden or gone: the page gets the focus, not the body.
  if (isNowhere()) document.getElementById('jw-main')?.focus({ preventScroll: true })
}
