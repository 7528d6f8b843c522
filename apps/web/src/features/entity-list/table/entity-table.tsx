import { CaretDown, CaretUp } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { FooterQuery, FooterValue } from '@jiaowu/api/entity/list/list-query'
import { limits } from '@jiaowu/api/limits'
import type { Row, Sort } from '@jiaowu/api/entity/values'
import { memo, type MouseEvent, type ReactNode, useMemo } from 'react'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import { useSettings } from '../../../app/settings.ts'
import { FigureRow } from '../figures/figure-row.tsx'
import { type Grouping, GroupRows } from '../figures/group-rows.tsx'
import { ColumnEdge, type OnWidth, widthKeys } from '../../../ui/table/column-edge.tsx'
import { useRowKeys } from './row-keys.ts'
import { useScrolledEdges } from './scrolled-edges.ts'
import { fittedWidths } from './widths/fitted-widths.ts'
import { useCellMenu } from './cell-menu.tsx'
import { HeaderMenu } from './header-menu.tsx'
import type { ColumnDeeds } from './column-deeds.ts'
import {
  type Column,
  columnClass,
  layOutColumns,
  columnStyle,
  type Widths,
} from '../../../ui/table/columns.ts'

interface Props {
  readonly config: EntityConfig
  readonly rows: readonly Row[]
  /** The columns and their order as the user chose them; null: those of the definition. */
  readonly chosen?: readonly string[] | null
  /** Column widths chosen by the user, and the callback that stores them. */
  readonly widths?: Widths
  /** The last column that the user froze. */
  readonly frozen?: string | null
  /** The rows come in groups. */
  readonly grouping?: Grouping | null
  /** Figures below columns, as asked and as far as they are loaded. */
  readonly footer?: readonly FooterQuery[]
  readonly figures?: readonly FooterValue[]
  readonly onWidth?: OnWidth
  readonly sorts: readonly Sort[]
  readonly selected: readonly string[]
  readonly selection: 'none' | 'single' | 'multi'
  readonly busy: boolean
  /** The rows are older than the query: a load failed. */
  readonly stale?: boolean
  readonly canSort: boolean
  readonly canToggle: boolean
  /** Placeholder rows while the first page is loading. */
  readonly skeletons: number
  readonly operation: ((row: Row) => ReactNode) | null
  readonly empty: ReactNode
  readonly onSort: (column: string, multi: boolean) => void
  readonly onToggle: (id: string) => void
  readonly onToggleAll: () => void
  /** Enter and E on a row. */
  readonly onOpen?: (row: Row) => void
  readonly onEdit?: (row: Row) => void
  /** Deeds of the columns' menus; absent: they have none. */
  readonly deeds?: ColumnDeeds
}
const operationWidth = 176
const sortable = (column: Column) => column.field.sortable

/**
 * The rows as a plain HTML table, so that screen readers and find-in-page work
 * (docs/decisions/0002).
 */
export function EntityTable(props: Props) {
  const {
    config,
    rows,
    grouping = null,
    selected,
    selection,
    busy,
    stale = false,
    canToggle,
    skeletons,
    operation,
    empty,
    onToggle,
  } = props
  const { density } = useSettings()
  const { box, edges, width } = useScrolledEdges()
  const keys = useRowKeys(props)
  const cellMenu = useCellMenu(config, rows, props.deeds)
  const columns = useColumns(props, width)
  const span = columns.length + (selection === 'none' ? 0 : 1) + (operation === null ? 0 : 1)
  const rowOf = (row: Row) => (
    <BodyRow
      key={row.id}
      row={row}
      columns={columns}
      tag={config.tag}
      selected={selected.includes(row.id)}
      selection={selection}
      operation={operation}
      canToggle={canToggle}
      onToggle={onToggle}
      tabIndex={keys.tabIndexOf(row)}
    />
  )
  return (
    <div
      className={`jw-table-wrap is-${density}${busy ? ' is-busy' : ''}${stale ? ' is-stale' : ''}${edges}`}
      aria-busy={busy}
      ref={box}
    >
      {busy ? <div className="jw-busy-line" /> : null}
      <table className="jw-table" aria-label={config.name}>
        <TableHead {...props} columns={columns} />
        <tbody {...keys.body} onContextMenu={cellMenu.onContextMenu}>
          {grouping === null ? (
            rows.map(rowOf)
          ) : (
            <GroupRows grouping={grouping} span={span} rowOf={rowOf} />
          )}
          {Array.from({ length: skeletons }, (_none, line) => (
            <SkeletonRow
              key={`skeleton-${line}`}
              line={line}
              columns={columns}
              selection={selection}
              operation={operation}
            />
          ))}
        </tbody>
        <FigureRow
          columns={columns}
          footer={props.footer ?? []}
          figures={props.figures ?? []}
          hasSelection={selection !== 'none'}
          hasOperation={operation !== null}
        />
      </table>
      {rows.length === 0 && skeletons === 0 ? empty : null}
      {cellMenu.menu}
    </div>
  )
}

/** The columns with their widths, which they share where the user wants that. */
function useColumns(
  { config, selection, operation, chosen = null, widths, frozen = null }: Props,
  width: number,
): readonly Column[] {
  const { fitWidth } = useSettings()
  const operationSpace = operation === null ? 0 : operationWidth
  return useMemo(() => {
    const selects = selection !== 'none'
    const of = (now: Widths | undefined) =>
      layOutColumns(config, selects, operationSpace, chosen, now, frozen)
    const own = of(widths)
    const beside = operationSpace + (selects ? limits.selectionColumnWidth : 0)
    return fitWidth ? of({ ...fittedWidths(own, width - beside), ...widths }) : own
  }, [config, selection, operationSpace, chosen, widths, frozen, fitWidth, width])
}

interface WithColumns {
  readonly columns: readonly Column[]
}

function TableHead({
  columns,
  rows,
  selection,
  selected,
  operation,
  canToggle,
  onToggleAll,
  ...sorting
}: Props & WithColumns) {
  const { t } = useText()
  const allSelected = rows.length > 0 && rows.every((row) => selected.includes(row.id))
  return (
    <thead>
      <tr>
        {selection === 'none' ? null : (
          <th scope="col" className="jw-select-col is-fixed" style={{ left: 0 }}>
            {selection === 'multi' ? (
              <input
                type="checkbox"
                aria-label={t('list.selectAll')}
                checked={allSelected}
                disabled={!canToggle}
                ref={(box) => {
                  if (box !== null) box.indeterminate = !allSelected && selected.length > 0
                }}
                onChange={onToggleAll}
              />
            ) : null}
          </th>
        )}
        {columns.map((column, index) => (
          <HeadCell key={column.field.attrName} column={column} index={index} {...sorting} />
        ))}
        {operation === null ? null : (
          <th
            scope="col"
            className="is-fixed is-edge-right"
            style={{ right: 0, minWidth: operationWidth }}
          >
            {t('list.operation')}
          </th>
        )}
      </tr>
    </thead>
  )
}

/** Stands for a row while the first page is loading. */
function SkeletonRow({
  line,
  columns,
  selection,
  operation,
}: { readonly line: number } & WithColumns & Pick<Props, 'selection' | 'operation'>) {
  return (
    <tr aria-hidden>
      {selection === 'none' ? null : <td className="jw-select-col" />}
      {columns.map((column, i) => (
        <td key={column.field.attrName} style={columnStyle(column)}>
          <div className="jw-skeleton" style={{ width: `${45 + ((line * 17 + i * 29) % 45)}%` }} />
        </td>
      ))}
      {operation === null ? null : <td />}
    </tr>
  )
}

function HeadCell({
  column,
  index,
  sorts,
  canSort,
  onSort,
  onWidth,
  config,
  deeds,
}: { readonly column: Column; readonly index: number } & Pick<
  Props,
  'sorts' | 'canSort' | 'onSort' | 'onWidth' | 'config' | 'deeds'
>) {
  const { t } = useText()
  const at = sorts.findIndex((sort) => sort.column === column.field.attrName)
  const sort = sorts[at]
  const state = sort === undefined ? 'none' : sort.asc ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      className={columnClass(column, index)}
      style={columnStyle(column)}
      {...(sortable(column) ? { 'aria-sort': state } : {})}
    >
      {sortable(column) ? (
        <button
          type="button"
          className="jw-sort"
          disabled={!canSort}
          title={t('list.sortBy', { name: column.label })}
          onClick={(event) => onSort(column.field.attrName, event.shiftKey)}
          {...(onWidth === undefined
            ? {}
            : {
                onKeyDown: widthKeys(column, onWidth),
                'aria-keyshortcuts': 'Alt+ArrowLeft Alt+ArrowRight',
              })}
        >
          {column.label}
          <span className="jw-sort__mark" aria-hidden>
            <CaretUp size={10} className={state === 'ascending' ? 'is-on' : ''} />
            <CaretDown size={10} className={state === 'descending' ? 'is-on' : ''} />
          </span>
          {sorts.length > 1 && at >= 0 ? <span className="jw-sort__order">{at + 1}</span> : null}
        </button>
      ) : (
        <span title={column.label}>{column.label}</span>
      )}
      {deeds === undefined ? null : (
        <HeaderMenu config={config} column={column} canAsk={canSort} deeds={deeds} />
      )}
      {onWidth === undefined ? null : (
        <ColumnEdge column={column} inTabOrder={!sortable(column)} onWidth={onWidth} />
      )}
    </th>
  )
}

const BodyRow = memo(function BodyRow({
  row,
  columns,
  tag,
  selected,
  selection,
  operation,
  canToggle,
  onToggle,
  tabIndex,
}: {
  readonly row: Row
  readonly tabIndex: 0 | -1
  readonly columns: readonly Column[]
  readonly tag: string
  readonly selected: boolean
} & Pick<Props, 'selection' | 'operation' | 'canToggle' | 'onToggle'>) {
  const { t } = useText()
  // Clicking a row toggles it, except in the operation column and on links
  // (docs/spec/1-entity-console.md §4). A text selection is not a click.
  const click = (event: MouseEvent) => {
    if (
      canToggle &&
      (event.target as Element).closest('a,button,input,.jw-operation,.bp6-popover-target') ===
        null &&
      getSelection()?.isCollapsed !== false
    )
      onToggle(row.id)
  }
  return (
    <tr
      className={selected ? 'is-selected' : ''}
      aria-selected={selection === 'none' ? undefined : selected}
      tabIndex={tabIndex}
      data-row={row.id}
      aria-keyshortcuts="ArrowUp ArrowDown ArrowLeft ArrowRight Enter Space E Shift+F10"
      onClick={click}
    >
      {selection === 'none' ? null : (
        <td className="jw-select-col is-fixed" style={{ left: 0 }}>
          <input
            type={selection === 'multi' ? 'checkbox' : 'radio'}
            aria-label={t('list.selectRow')}
            checked={selected}
            disabled={!canToggle}
            onChange={() => onToggle(row.id)}
          />
        </td>
      )}
      <RowCells row={row} columns={columns} tag={tag} />
      {operation === null ? null : (
        <td className="jw-operation is-fixed is-edge-right" style={{ right: 0 }}>
          {operation(row)}
        </td>
      )}
    </tr>
  )
})

/** Rendered again only for other values or columns, not when rows are chosen or the list is busy. */
const RowCells = memo(function RowCells({
  row,
  columns,
  tag,
}: WithColumns & { readonly row: Row; readonly tag: string }) {
  return (
    <>
      {columns.map((column, index) => {
        const { Cell } = findFieldSurface(column.field.uiType)
        return (
          <td
            key={column.field.attrName}
            className={columnClass(column, index)}
            style={columnStyle(column)}
            data-column={column.field.attrName}
            tabIndex={-1}
          >
            <Cell tag={tag} field={column.field} value={row[column.field.attrName]} row={row} />
          </td>
        )
      })}
    </>
  )
})
