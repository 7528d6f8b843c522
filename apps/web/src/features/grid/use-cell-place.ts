import type { GridEditView } from '@jiaowu/machines/grid-edit/view'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { type CellPlace, placeOfCell } from './cell-place.ts'

/** Where a cell is in the frame, followed while the grid scrolls; null while it is not drawn. */
export function useCellPlace(
  frame: RefObject<HTMLDivElement | null>,
  { rowCount, step }: Pick<GridEditView, 'rowCount' | 'step'>,
  { row, col }: { readonly row: number; readonly col: number },
  frozen: number,
): CellPlace | null {
  const [place, setPlace] = useState<CellPlace | null>(null)
  useLayoutEffect(() => {
    const read = () =>
      setPlace((before) => {
        const now = placeOfCell(frame.current, row, col, col < frozen)
        return JSON.stringify(before) === JSON.stringify(now) ? before : now
      })
    read()
    const waiting = requestAnimationFrame(read)
    const element = frame.current
    element?.addEventListener('scroll', read, { capture: true, passive: true })
    return () => {
      cancelAnimationFrame(waiting)
      element?.removeEventListener('scroll', read, { capture: true })
    }
  }, [frame, row, col, frozen, rowCount, step])
  return place
}
