import { isDerived } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { gridCell, type GridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridContext } from '@jiaowu/machines/grid-edit/context'
import { Box } from 'ink'
import { cellText } from '../../fields/index.ts'
import { fit } from '../../terminal/table.ts'
import { Text } from '../ui.tsx'

/** Columns of the terminal for a cell. */
const cellWidth = 16
/** Lines around the rows: title, heads, state and keys. */
const otherLines = 10

interface Size {
  /** First and last row and column that are shown. */
  readonly first: number
  readonly last: number
  readonly left: number
  readonly right: number
}

/** The part of the grid around the active cell that fits on the terminal. */
export function measureGrid({ selection, rowCount, columns }: GridEditView): Size {
  const height = Math.max(5, (process.stderr.rows ?? 24) - otherLines)
  const width = Math.max(2, Math.floor(((process.stderr.columns ?? 80) - 8) / (cellWidth + 1)))
  const { row, col } = selection.focus
  const first = Math.floor(row / height) * height
  const left = Math.floor(col / width) * width
  return {
    first,
    last: Math.max(first, Math.min(first + height, rowCount) - 1),
    left,
    right: Math.min(left + width, columns.length) - 1,
  }
}

interface Props {
  readonly view: GridEditView
  readonly context: GridContext
  readonly locale: Locale
}

export function GridCells({ view, context, locale }: Props) {
  const { columns, rowCount, total } = view
  const { first, last, left, right } = measureGrid(view)
  const shown = columns.slice(left, right + 1)
  const rows = Array.from(
    { length: Math.max(0, Math.min(last, rowCount - 1) - first + 1) },
    (_r, i) => first + i,
  )
  return (
    <Box flexDirection="column">
      <Text dimColor>
        {`${' '.repeat(7)}${shown.map((field) => fit(isDerived(field) ? `fx ${field.uiLabel}` : field.uiLabel, cellWidth)).join(' ')}`}
      </Text>
      {rows.map((row) => (
        <Box key={row} columnGap={1}>
          <Text dimColor>{fit(row < total ? String(row + 1) : '+', 6)}</Text>
          {shown.map((field, at) => (
            <OneCell
              key={field.attrName}
              view={view}
              context={context}
              locale={locale}
              row={row}
              col={left + at}
            />
          ))}
        </Box>
      ))}
    </Box>
  )
}

const marks = { stored: '', unsaved: '*', saving: '…', refused: '!', stale: '≠' } as const
const colours = {
  stored: undefined,
  unsaved: 'yellow',
  saving: 'yellow',
  refused: 'red',
  stale: 'magenta',
} as const

/** A cell with a mark for its state, since colours may be off. */
function OneCell({
  view,
  context,
  locale,
  row,
  col,
}: Props & { readonly row: number; readonly col: number }) {
  const { box, selection, columns } = view
  const cell = gridCell(context, row, col)
  const field = columns[col]
  const isActive = selection.anchor.row === row && selection.anchor.col === col
  const isChosen = row >= box.top && row <= box.bottom && col >= box.left && col <= box.right
  const text =
    cell === null || field === undefined
      ? t(locale, 'common.loading')
      : `${marks[cell.state]}${cellText(field, cell.value, locale)}`
  const colour = cell === null ? undefined : colours[cell.state]
  return (
    <Text
      inverse={isActive}
      underline={isChosen && !isActive}
      dimColor={cell === null || !cell.isEditable}
      {...(colour === undefined ? {} : { color: colour })}
    >
      {fit(text.replace(/\s+/g, ' '), cellWidth)}
    </Text>
  )
}
