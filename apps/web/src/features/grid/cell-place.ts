// Where cells are drawn. Blueprint's table names the row and column of a cell in its classes.

export const rowHeight = 30

export interface CellPlace {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export function scroller(frame: HTMLElement | null): HTMLElement | null {
  return (
    frame?.querySelector('.bp6-table-quadrant-main > .bp6-table-quadrant-scroll-container') ?? null
  )
}

/** Where a cell is drawn in the frame; null while it is out of sight. */
export function placeOfCell(
  frame: HTMLElement | null,
  row: number,
  col: number,
  isFrozen: boolean,
): CellPlace | null {
  const quadrant = isFrozen ? '.bp6-table-quadrant-left' : '.bp6-table-quadrant-main'
  const cell = frame?.querySelector(
    `${quadrant} .bp6-table-cell.bp6-table-cell-row-${row}.bp6-table-cell-col-${col}`,
  )
  if (frame === null || cell === null || cell === undefined) return null
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()]
  return {
    left: inner.left - outer.left,
    top: inner.top - outer.top,
    width: inner.width,
    height: inner.height,
  }
}

/** The row at a height of the window; null outside the rows. */
export function rowAtPoint(frame: HTMLElement | null, y: number): number | null {
  const body = scroller(frame)
  const head = frame?.querySelector('.bp6-table-column-headers')
  if (body === null || head === null || head === undefined) return null
  const row = Math.floor((y - head.getBoundingClientRect().bottom + body.scrollTop) / rowHeight)
  return row < 0 ? null : row
}
