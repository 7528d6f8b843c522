import { edgeOfData } from '@jiaowu/machines/grid-edit/selection/places'
import type { GridContext, GridEvent } from '@jiaowu/machines/grid-edit/context'
import type { GridEditView } from '@jiaowu/machines/grid-edit/view'

interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** More than any grid has. */
const far = 1e7
type Moves = Readonly<Record<string, readonly [rows: number, cols: number]>>
const arrows: Moves = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * Finds the deed of a key in a grid, as in Excel; null: the key is the browser's or the control's.
 * `page`: rows in sight.
 */
export function gridKey(
  view: GridEditView,
  context: GridContext,
  pressed: Pressed,
  page: number,
): GridEvent | null {
  const command = pressed.ctrlKey || pressed.metaKey
  if (view.step === 'editing') return editingKey(view, pressed, command)
  if (view.step === 'fetching' && pressed.key === 'Escape') return { type: 'fetch.cancel' }
  if (view.step !== 'selecting') return null
  return (
    (command ? jumpingKey(context, pressed) : null) ??
    movingKey(pressed, command, page) ??
    (command ? commandKey(view, pressed) : plainKey(pressed)) ??
    null
  )
}

function editingKey(view: GridEditView, pressed: Pressed, command: boolean): GridEvent | null {
  const { key, shiftKey, altKey } = pressed
  if (key === 'Escape') return { type: 'edit.cancel' }
  if (key === 'Enter' && !altKey)
    return { type: 'edit.commit', move: command ? 'none' : shiftKey ? 'up' : 'down' }
  if (key === 'Tab') return { type: 'edit.commit', move: shiftKey ? 'left' : 'right' }
  const ends = {
    ArrowUp: 'up',
    ArrowDown: 'down',
    ArrowLeft: 'left',
    ArrowRight: 'right',
  } as const
  return view.isTyped && Object.hasOwn(ends, key) && !shiftKey && !command
    ? { type: 'edit.commit', move: ends[key as keyof typeof ends] }
    : null
}

/** Ctrl and an arrow go to the edge of the data. */
function jumpingKey(context: GridContext, { key, shiftKey, altKey }: Pressed): GridEvent | null {
  const arrow = arrows[key]
  if (arrow === undefined || altKey) return null
  const { anchor, focus } = context.selection
  const from = shiftKey ? focus : anchor
  const to = edgeOfData(context, from, { rows: arrow[0], cols: arrow[1] })
  return {
    type: 'cell.move',
    rows: to.row - from.row,
    cols: to.col - from.col,
    extend: shiftKey,
  }
}

function movingKey(
  { key, shiftKey, altKey }: Pressed,
  command: boolean,
  page: number,
): GridEvent | null {
  const move = (rows: number, cols: number, extend = shiftKey): GridEvent => ({
    type: 'cell.move',
    rows,
    cols,
    extend,
  })
  const arrow = arrows[key]
  if (arrow !== undefined && !altKey) return move(arrow[0], arrow[1])
  switch (key) {
    case 'Home':
      return command ? move(-far, -far) : move(0, -far)
    case 'End':
      return command ? move(far, far) : move(0, far)
    case 'PageUp':
      return move(-page, 0)
    case 'PageDown':
      return move(page, 0)
    case 'Tab':
      return move(0, shiftKey ? -1 : 1, false)
    case 'Enter':
      return command || altKey ? null : move(shiftKey ? -1 : 1, 0, false)
    default:
      return null
  }
}

function commandKey(view: GridEditView, { key, shiftKey }: Pressed): GridEvent | null {
  const { anchor, focus } = view.selection
  const last = { row: view.rowCount - 1, col: view.columns.length - 1 }
  switch (key.toLowerCase()) {
    case 'a':
      return { type: 'range.select', anchor: { row: 0, col: 0 }, focus: last }
    case 'd':
      return { type: 'cells.fill', row: null }
    case 'z':
      return { type: shiftKey ? 'history.redo' : 'history.undo' }
    case 'y':
      return { type: 'history.redo' }
    case ' ':
      return {
        type: 'range.select',
        anchor: { row: 0, col: anchor.col },
        focus: { row: last.row, col: focus.col },
      }
    default:
      return null
  }
}

function plainKey({ key, shiftKey, altKey }: Pressed): GridEvent | null {
  if (key === 'F2' || (altKey && key === 'ArrowDown')) return { type: 'edit.start', text: null }
  if (key === 'Backspace') return { type: 'edit.start', text: '' }
  if (key === 'Delete') return { type: 'cells.clear' }
  return key === ' ' && shiftKey ? { type: 'cell.move', rows: 0, cols: far, extend: true } : null
}
