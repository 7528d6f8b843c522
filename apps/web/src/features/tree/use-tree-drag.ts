import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { usePointerDrag } from '../../ui/drag/use-pointer-drag.ts'
import { type Drop, type NodeLine, whereIn } from './lines.ts'

const edge = 36 // pixels from the border within which dragging scrolls the list
const unfoldAfter = 600 // ms a drag must rest on a folded row to unfold it

export interface Drag {
  readonly line: NodeLine
  readonly drop: Drop | null
  readonly x: number
  readonly y: number
}
interface Options {
  readonly canOrder: boolean
  readonly lineOf: (id: string) => NodeLine | undefined
  readonly onDrop: (line: NodeLine, drop: Drop) => void
  readonly onRest: (id: string) => void
}

/** Drag and drop of tree rows by their grips. */
export function useTreeDrag(options: Options) {
  const box = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const latest = useRef(options)
  latest.current = options
  const hold = usePointerDrag<NodeLine>({
    onMove: (line, x, y) => {
      const area = box.current?.getBoundingClientRect()
      if (area !== undefined && y < area.top + edge) box.current?.scrollBy(0, -10)
      if (area !== undefined && y > area.bottom - edge) box.current?.scrollBy(0, 10)
      setDrag({
        line,
        drop:
          area !== undefined && x >= area.left && x <= area.right
            ? dropAt(box.current, y, options)
            : null,
        x,
        y,
      })
    },
    onEnd: (line, kept) => {
      setDrag(null)
      if (kept && drag !== null && drag.drop !== null) options.onDrop(line, drag.drop)
    },
  })
  const resting =
    drag?.drop?.where === 'into' && !drag.drop.on.open && drag.drop.on.node.children > 0
      ? drag.drop.on.node.row.id
      : null
  useEffect(() => {
    if (resting === null) return undefined
    const timer = setTimeout(() => latest.current.onRest(resting), unfoldAfter)
    return () => clearTimeout(timer)
  }, [resting])
  const take = (line: NodeLine) => (event: PointerEvent) => {
    event.preventDefault()
    hold(line, event)
  }
  return { box, drag, take }
}

/** The row under the pointer, and whether the pointer is at its edge or in its middle. */
function dropAt(box: HTMLElement | null, y: number, { canOrder, lineOf }: Options): Drop | null {
  for (const row of box?.querySelectorAll<HTMLElement>('[data-node]') ?? []) {
    const { top, height, bottom } = row.getBoundingClientRect()
    if (y < top || y >= bottom) continue
    const on = lineOf(row.dataset.node ?? '')
    return on === undefined ? null : { where: whereIn(top, height, y, canOrder), on }
  }
  return null
}
