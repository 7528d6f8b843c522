import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Drop, type NodeLine, whereIn } from './lines.ts'

const threshold = 5 // a hand that trembles is no drag
const edge = 36 // pixels from the border at which the list scrolls along
const unfoldAfter = 600 // ms of resting on a folded row

interface Drag { readonly line: NodeLine; readonly drop: Drop | null; readonly x: number; readonly y: number }
interface Wishes { readonly canOrder: boolean; readonly lineOf: (id: string) => NodeLine | undefined; readonly onDrop: (line: NodeLine, drop: Drop) => void; readonly onRest: (id: string) => void }

/** The row a pointer is on, and where on it. */
const dropAt = (box: HTMLElement | null, y: number, { canOrder, lineOf }: Wishes): Drop | null => {
  for (const row of box?.querySelectorAll<HTMLElement>('[data-node]') ?? []) {
    const { top, height, bottom } = row.getBoundingClientRect()
    if (y < top || y >= bottom) continue
    const on = lineOf(row.dataset.node ?? '')
    return on === undefined ? null : { where: whereIn(top, height, y, canOrder), on }
  }
  return null
}

/** Rows of a tree dragged by their grips with mouse, pen or finger. (Libraries for it put style sheets into the page, which its policy refuses.) */
export const useTreeDrag = (wishes: Wishes) => {
  const box = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<{ readonly line: NodeLine; readonly x: number; readonly y: number } | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const latest = useRef({ wishes, drag })
  latest.current = { wishes, drag }
  useEffect(() => {
    if (held === null) return undefined
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      if (latest.current.drag === null && Math.hypot(x - held.x, y - held.y) < threshold) return
      const area = box.current?.getBoundingClientRect()
      if (area !== undefined && y < area.top + edge) box.current?.scrollBy(0, -10)
      if (area !== undefined && y > area.bottom - edge) box.current?.scrollBy(0, 10)
      setDrag({ line: held.line, drop: area !== undefined && x >= area.left && x <= area.right ? dropAt(box.current, y, latest.current.wishes) : null, x, y })
    }
    const end = () => { setHeld(null); setDrag(null) }
    const drop = () => {
      const { drag: now, wishes: { onDrop } } = latest.current
      end()
      if (now !== null && now.drop !== null) onDrop(now.line, now.drop)
    }
    const onKey = (event: KeyboardEvent) => { if (event.key === 'Escape') end() }
    addEventListener('pointermove', move)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', end)
    addEventListener('keydown', onKey)
    return () => { removeEventListener('pointermove', move); removeEventListener('pointerup', drop); removeEventListener('pointercancel', end); removeEventListener('keydown', onKey) }
  }, [held])
  const resting = drag?.drop?.where === 'into' && !drag.drop.on.open && drag.drop.on.node.children > 0 ? drag.drop.on.node.row.id : null
  useEffect(() => {
    if (resting === null) return undefined
    const timer = setTimeout(() => latest.current.wishes.onRest(resting), unfoldAfter)
    return () => clearTimeout(timer)
  }, [resting])
  const take = (line: NodeLine) => (event: PointerEvent) => {
    if (event.button !== 0) return
    event.preventDefault()
    setHeld({ line, x: event.clientX, y: event.clientY })
  }
  return { box, drag, take }
}
