import { SortAsc, SortDesc } from '@blueprintjs/icons'
import {
  Cell,
  Column,
  ColumnHeaderCell,
  FocusMode,
  type Region,
  Regions,
  RenderMode,
  RowHeaderCell,
  SelectionModes,
  Table,
} from '@blueprintjs/table'
import { type Field, isDerived } from '@jiaowu/api/entity/config'
import { findKind, minColumnWidth } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { Sort } from '@jiaowu/api/entity/values'
import { type GridCell, gridCell, type GridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridContext, GridEvent } from '@jiaowu/machines/grid-edit/context'
import { memo, useCallback, useMemo, useRef } from 'react'
import { type Texts, useText } from '../../app/text-context.ts'
import { FxMark } from '../../fields/fx-mark.tsx'
import type { OnWidth } from '../../ui/table/column-edge.tsx'
import { rowHeight } from './cell-place.ts'

const modes = SelectionModes.ALL
/** Pixels of the button that sorts. */
const sortWidth = 24
/** Pixels of the mark of a derived column. */
const fxWidth = 26

type Cells = Pick<
  GridContext,
  'total' | 'added' | 'blocks' | 'edits' | 'config' | 'columns' | 'mayEdit' | 'mayAdd' | 'open'
>
interface Props extends Pick<GridEditView, 'columns' | 'rowCount' | 'total' | 'box' | 'selection'> {
  readonly cells: Cells
  readonly sorts: readonly Sort[]
  readonly frozen: number
  readonly widths: Readonly<Record<string, number>>
  readonly send: (event: GridEvent) => void
  readonly onSort: (column: string) => void
  readonly onWidth: OnWidth
}

export function computeColumnWidth(field: Field, widths: Props['widths']): number {
  const label = field.options.column?.label ?? field.uiLabel
  const least = minColumnWidth(field.uiType, label) + (field.sortable ? sortWidth : 0)
  const marked = isDerived(field) ? fxWidth : 0
  return (
    widths[field.attrName] ??
    Math.max((field.options.column?.width ?? least) + marked, limits.columnWidth.least)
  )
}

/**
 * The cells of a grid; only those in sight are in the page. Drawn again only when one of them or the
 * selection changed, not for each letter that is typed.
 */
export const GridTable = memo((props: Props) => {
  const { columns, rowCount, total, box, selection, cells } = props
  const { sorts, frozen, widths, send, onSort, onWidth } = props
  const onSelection = useSelection(props, send)
  const columnWidths = useMemo(
    () => columns.map((field) => computeColumnWidth(field, widths)),
    [columns, widths],
  )
  const need = useNeed(send)
  const onDragged = useCallback(
    (index: number, width: number) => {
      const field = columns[index]
      if (field !== undefined) onWidth(field.attrName, Math.round(width), true)
    },
    [columns, onWidth],
  )
  const renderNumber = useCallback(
    (row: number) => (
      <RowHeaderCell
        index={row}
        name={row < total ? String(row + 1) : '＋'}
        className={row < total ? '' : 'is-new'}
      />
    ),
    [total],
  )
  const renderCell = useCells(cells)
  const children = useColumns(columns, renderCell, sorts, onSort)
  return (
    <Table
      className="jw-cells"
      numRows={rowCount}
      defaultRowHeight={rowHeight}
      columnWidths={columnWidths}
      numFrozenColumns={Math.min(frozen, columns.length)}
      enableRowResizing={false}
      enableColumnResizing
      minColumnWidth={limits.columnWidth.least}
      maxColumnWidth={limits.columnWidth.most}
      onColumnWidthChanged={onDragged}
      enableMultipleSelection
      focusMode={FocusMode.CELL}
      focusedCell={{ ...selection.anchor, focusSelectionIndex: 0 }}
      selectedRegions={[Regions.cell(box.top, box.left, box.bottom, box.right)]}
      selectionModes={modes}
      renderMode={RenderMode.NONE}
      onVisibleCellsChange={need}
      cellRendererDependencies={[cells.blocks, cells.edits, cells.added, columns]}
      rowHeaderCellRenderer={renderNumber}
      onSelection={onSelection}
    >
      {children}
    </Table>
  )
})

/** Asks for rows when other blocks come in sight. */
function useNeed(send: Props['send']) {
  const last = useRef('')
  return useCallback(
    ({ rowIndexStart, rowIndexEnd }: { rowIndexStart: number; rowIndexEnd: number }) => {
      const blocks = [rowIndexStart, rowIndexEnd].map((row) => Math.floor(row / limits.gridBlock))
      if (last.current === blocks.join()) return
      last.current = blocks.join()
      // Blueprint calls this while it renders, when no other component may be told to.
      queueMicrotask(() => send({ type: 'rows.need', first: rowIndexStart, last: rowIndexEnd }))
    },
    [send],
  )
}

function useColumns(
  columns: Props['columns'],
  renderCell: ReturnType<typeof useCells>,
  sorts: Props['sorts'],
  onSort: Props['onSort'],
) {
  const headerOf = useHeaders(sorts, onSort)
  return useMemo(
    () =>
      columns.map((field, index) => (
        <Column
          key={field.attrName}
          id={field.attrName}
          name={field.uiLabel}
          cellRenderer={renderCell}
          columnHeaderCellRenderer={headerOf(field, index)}
        />
      )),
    [columns, renderCell, headerOf],
  )
}

/** Selections of the mouse, as in Excel: dragging and Shift leave the active cell where it is. */
function useSelection(
  { rowCount, columns, selection }: Pick<Props, 'rowCount' | 'columns' | 'selection'>,
  send: Props['send'],
) {
  const latest = useRef({ rowCount, columns, selection })
  latest.current = { rowCount, columns, selection }
  return useCallback(
    (regions: Region[]) => {
      // With Ctrl the table adds a region; one is selected here: the last.
      const region = regions.at(-1)
      if (region === undefined) return
      const now = latest.current
      const [top, bottom] = region.rows ?? [0, now.rowCount - 1]
      const [left, right] = region.cols ?? [0, now.columns.length - 1]
      const { row, col } = now.selection.anchor
      const isCorner = (row === top || row === bottom) && (col === left || col === right)
      const anchor = isCorner ? { row, col } : { row: top, col: left }
      send({
        type: 'range.select',
        anchor,
        focus: {
          row: anchor.row === top ? bottom : top,
          col: anchor.col === left ? right : left,
        },
      })
    },
    [send],
  )
}

function useCells(context: Cells) {
  const { t, messageText } = useText()
  const latest = useRef(context)
  latest.current = context
  return useCallback(
    (row: number, col: number) => {
      const field = latest.current.columns[col]
      const cell = gridCell(latest.current, row, col)
      if (cell === null || field === undefined)
        return <Cell loading className="jw-cells__cell" aria-label={t('common.loading')} />
      const isNew = row >= (latest.current.total ?? 0)
      const place = isNew
        ? t('grid.newCell', { label: field.uiLabel })
        : t('grid.cell', { row: row + 1, label: field.uiLabel })
      const note =
        cell.theirs !== null
          ? t('grid.stale', { value: cell.theirs })
          : cell.fault === null
            ? null
            : messageText(cell.fault)
      const text = shownText(field, cell, t)
      return (
        <Cell
          className={`jw-cells__cell is-${cell.state} is-${findKind(field.uiType).align}${cell.isEditable ? '' : ' is-fixed'}`}
          truncated={false}
        >
          <span
            role="group"
            aria-label={`${place}：${text === '' ? t('grid.emptyCell') : text}${note === null ? '' : `，${note}`}`}
          >
            {text}
          </span>
        </Cell>
      )
    },
    [t, messageText],
  )
}

function shownText(field: Field, { text, value }: GridCell, t: Texts['t']): string {
  switch (findKind(field.uiType).family) {
    case 'flag':
      return text === '1' ? t('common.yes') : text === '0' ? t('common.no') : text
    case 'media':
      return Array.isArray(value) && value.length > 0 ? t('grid.pictures', { n: value.length }) : ''
    default:
      return text
  }
}

/** Blueprint gives the header its size: the cell must be the element that is returned. */
function useHeaders(sorts: readonly Sort[], onSort: (column: string) => void) {
  const { t } = useText()
  return useCallback(
    (field: Field, index: number) => () => (
      <ColumnHeaderCell
        index={index}
        name={field.uiLabel}
        enableColumnReordering={false}
        nameRenderer={() => (
          <span className={`jw-cells__head is-${findKind(field.uiType).align}`}>
            <span>{field.options.column?.label ?? field.uiLabel}</span>
            {isDerived(field) ? <FxMark /> : null}
            {field.sortable ? (
              <SortButton
                name={`${t('list.sort')}：${field.uiLabel}`}
                sort={sorts.find(({ column }) => column === field.attrName)}
                onSort={() => onSort(field.attrName)}
              />
            ) : null}
          </span>
        )}
      />
    ),
    [t, sorts, onSort],
  )
}

function SortButton({
  name,
  sort,
  onSort,
}: {
  readonly name: string
  readonly sort: Sort | undefined
  readonly onSort: () => void
}) {
  return (
    <button
      type="button"
      className={`jw-cells__sort${sort === undefined ? '' : ' is-on'}`}
      aria-label={name}
      aria-pressed={sort !== undefined}
      ref={keepPress}
      onClick={onSort}
    >
      {sort?.asc === false ? <SortDesc size={12} /> : <SortAsc size={12} />}
    </button>
  )
}

/**
 * A press on the button selects no column and leaves the focus in the grid. Blueprint listens on the header
 * itself, before React would hear of it.
 */
function keepPress(button: HTMLButtonElement | null): (() => void) | undefined {
  const keep = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
  }
  button?.addEventListener('mousedown', keep)
  return () => button?.removeEventListener('mousedown', keep)
}
