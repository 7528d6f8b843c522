import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronRight, DragHandleVertical } from '@blueprintjs/icons'
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useText } from '../../app/text-context.ts'
import { type Column, columnStyle } from '../../ui/table/columns.ts'
import { type RowAction, RowActions } from '../../ui/table/row-actions.tsx'
import { findFieldSurface } from '../../fields/index.tsx'
import type { Drop, NodeLine } from './lines.ts'

interface Props {
  readonly tag: string
  readonly line: NodeLine
  readonly columns: readonly Column[]
  readonly name: string
  readonly canMove: boolean
  readonly isCurrent: boolean
  /** The row is cut or being dragged. */
  readonly isMoving: boolean
  readonly drop: Drop['where'] | null
  readonly actions: readonly RowAction[]
  readonly onFold: () => void
  readonly onFocus: () => void
  readonly onKey: (event: KeyboardEvent<HTMLTableRowElement>) => void
  readonly onTake: (event: PointerEvent) => void
}
const indent = 22 // pixels per level

/** One row of a tree: fold button and name in the first column, then the other columns. */
export function TreeRow(props: Props) {
  const { tag, line, columns, isCurrent, isMoving, drop, actions, onFocus, onKey } = props
  const {
    node: { row, children, hit },
    depth,
    index,
    of,
    open,
  } = line
  const classes = [
    isMoving ? 'is-held' : '',
    hit === true ? 'is-hit' : '',
    drop === null ? '' : `is-drop-${drop}`,
  ]
    .filter((each) => each !== '')
    .join(' ')
  return (
    <tr
      role="row"
      data-node={row.id}
      className={classes}
      aria-level={depth + 1}
      aria-posinset={index + 1}
      aria-setsize={of}
      {...(children > 0 ? { 'aria-expanded': open } : {})}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKey}
    >
      {columns.map((column, at) => {
        const { Cell } = findFieldSurface(column.field.uiType)
        const cell = (
          <Cell tag={tag} field={column.field} value={row[column.field.attrName]} row={row} />
        )
        return at === 0 ? (
          <NameCell key={column.field.attrName} {...props}>
            {cell}
          </NameCell>
        ) : (
          <td
            role="gridcell"
            key={column.field.attrName}
            className={column.align === 'left' ? '' : `is-${column.align}`}
            style={columnStyle({ ...column, fixed: null })}
          >
            {cell}
          </td>
        )
      })}
      <td role="gridcell" className="jw-operation is-fixed is-edge-right" style={{ right: 0 }}>
        <RowActions actions={actions} />
      </td>
    </tr>
  )
}

/** Grip, fold button, value and number of children, indented by depth. */
function NameCell({
  line: { depth, node, open },
  name,
  canMove,
  onFold,
  onTake,
  children: cell,
}: Pick<Props, 'line' | 'name' | 'canMove' | 'onFold' | 'onTake'> & {
  readonly children: ReactNode
}) {
  const { t } = useText()
  return (
    <td role="gridcell" className="jw-tree__name">
      <span
        className="jw-tree__lead"
        style={{ '--indent': `${depth * indent}px` } as CSSProperties}
      >
        {canMove ? (
          <span
            className="jw-tree__grip"
            aria-hidden
            title={t('tree.grip', { name })}
            onPointerDown={onTake}
          >
            <DragHandleVertical />
          </span>
        ) : null}
        {node.children > 0 ? (
          <Button
            variant="minimal"
            size="small"
            tabIndex={-1}
            className="jw-tree__fold"
            icon={open ? <ChevronDown /> : <ChevronRight />}
            aria-label={`${t(open ? 'tree.collapse' : 'tree.expand')} ${name}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              event.currentTarget.closest('tr')?.focus()
              onFold()
            }}
          />
        ) : (
          <span className="jw-tree__leaf" />
        )}
        {cell}
        {node.children > 0 ? (
          <span className="jw-tree__count" title={t('tree.children', { n: node.children })}>
            {node.children}
          </span>
        ) : null}
      </span>
    </td>
  )
}
