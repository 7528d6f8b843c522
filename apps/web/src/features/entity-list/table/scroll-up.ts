import { limits } from '@jiaowu/api/limits'

/** Each ends a scroll: whoever scrolls by hand goes elsewhere. */
const interruptions = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const

/** Shows the first row of a table and the top of its panel, where they are above the window. */
export function scrollUp(panel: HTMLElement | null): void {
  const table = panel?.querySelector<HTMLElement>('.jw-table-wrap')
  if (table !== null && table !== undefined) scrollBy(table, -table.scrollTop)
  const above = panel?.getBoundingClientRect().top ?? 0
  const page = findScroller(panel)
  if (above < 0 && page !== null) scrollBy(page, above)
}

/** Scrolls in 800 ms (docs/spec/2-student-service-and-designer.md §9), or at once for those who want no motion. */
function scrollBy(element: Element, distance: number): void {
  if (distance === 0) return
  const from = element.scrollTop
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    element.scrollTop = from + distance
    return
  }
  const began = performance.now()
  let frame = requestAnimationFrame(step)
  for (const type of interruptions) addEventListener(type, stop, { passive: true })

  function step(now: number): void {
    const part = Math.min(1, Math.max(0, (now - began) / limits.scrollToTop))
    // Begins and ends slowly.
    element.scrollTop = from + distance * (0.5 - Math.cos(Math.PI * part) / 2)
    if (part < 1) frame = requestAnimationFrame(step)
    else stop()
  }
  function stop(): void {
    cancelAnimationFrame(frame)
    for (const type of interruptions) removeEventListener(type, stop)
  }
}

function findScroller(panel: HTMLElement | null): Element | null {
  for (let at = panel?.parentElement ?? null; at !== null; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY))
      return at
  return document.scrollingElement
}
