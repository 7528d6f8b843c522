import { Button } from '@blueprintjs/core'
import { CollapseAll } from '@blueprintjs/icons'
import { type EntityConfig, kindOf, limits, problemText, type Row } from '@jiaowu/api'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { type Column, columnsOf } from '../entity-list/columns.ts'
import type { RowAction } from '../entity-list/row-actions.tsx'
import { Failed, Loading } from '../../ui/page-state.tsx'
import {
  type Drop,
  type Line,
  linesOf,
  type NodeLine,
  type Place,
  placeOf,
  type Step,
  stepFrom,
} from './lines.ts'
import { TreeRow } from './tree-row.tsx'
import { type Tree, useTree } from './use-tree.ts'
import { useTreeDrag } from './use-tree-drag.ts'

interface Props {
  readonly config: EntityConfig
  /** Stands before the tree's own buttons. */
  readonly lead: ReactNode
  readonly queries: Readonly<Record<string, unknown>>
  /** Another one: rows were changed, read again. */
  readonly stamp: unknown
  readonly canMove: boolean
  /** Something stands elsewhere now. */
  readonly onMoved: () => void
  readonly actionsOf: (row: Row) => readonly RowAction[]
  readonly onAddBelow: ((row: Row, name: string) => void) | null
  readonly empty: ReactNode
}

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

const dropKeys = {
  before: 'tree.drop.before',
  after: 'tree.drop.after',
  into: 'tree.drop.into',
} as const satisfies Record<Drop['where'], string>

/** Rows of an entity that stand below one another: unfolded a level at a time, moved by hand or by keys. */
export function TreeView({
  config,
  lead,
  queries,
  stamp,
  canMove: mayMove,
  onMoved,
  actionsOf,
  onAddBelow,
  empty,
}: Props) {
  const { t, locale } = useApp()
  const tree = useTree(config.tag, queries, stamp, onMoved)
  const columns = useMemo(() => treeColumns(config), [config])
  const lines = useMemo(() => linesOf(tree.branches, tree.open), [tree.branches, tree.open])
  const canMove = mayMove && !tree.isSearch // of siblings only some are in sight
  const {
    current,
    setCurrent,
    held,
    hold,
    paste,
    drag: { box, drag, take },
    keys,
  } = useMoves(config, tree, lines, canMove)
  const nameField = columns[0]?.field
  const nameOf = (row: Row): string =>
    nameField === undefined ? row.id : kindOf(nameField.uiType).toText(row[nameField.attrName])
  if (tree.problem !== null && lines.length === 0)
    return (
      <Failed
        text={problemText(locale, tree.problem)}
        onRetry={() => {
          void tree.again()
        }}
      />
    )
  if (!tree.branches.has('0')) return <Loading />
  const first = lines.find((line) => line.kind === 'node')?.node.row.id ?? null
  const focused = lines.some((line) => line.kind === 'node' && line.node.row.id === current)
    ? current
    : first
  const actionsFor = (line: NodeLine): readonly RowAction[] => {
    const { row } = line.node
    const own = actionsOf(row)
    const at = own.findIndex(({ code }) => code === 'delete')
    const more: RowAction[] = [
      ...(onAddBelow === null
        ? []
        : [
            { code: 'addBelow', name: t('tree.addChild'), run: () => onAddBelow(row, nameOf(row)) },
          ]),
      ...(canMove ? [{ code: 'cut', name: t('tree.cut'), run: () => hold(line) }] : []),
      ...(held === null
        ? []
        : [
            {
              code: 'paste',
              name: t('tree.paste'),
              disabled:
                placeOf(tree.branches, held.node.row.id, { where: 'into', on: line }) === null,
              run: () => paste(line),
            },
          ]),
    ]
    return own.toSpliced(at === -1 ? own.length : at, 0, ...more)
  }
  const dropText =
    drag === null
      ? null
      : drag.drop === null
        ? nameOf(drag.line.node.row)
        : t(dropKeys[drag.drop.where], { name: nameOf(drag.drop.on.node.row) })
  return (
    <>
      <div className="jw-tree__bar">
        {lead}
        <Button
          variant="minimal"
          size="small"
          icon={<CollapseAll />}
          text={t('tree.collapseAll')}
          disabled={tree.open.size === 0}
          onClick={tree.foldAll}
        />
        {held === null ? (
          <span className="jw-tree__keys">{canMove ? t('tree.keys') : ''}</span>
        ) : (
          <span className="jw-tree__held" role="status">
            {t('tree.held', { name: nameOf(held.node.row) })}{' '}
            <Button
              size="small"
              text={t('tree.pasteTop')}
              disabled={held.node.parent === '0'}
              onClick={() => paste(null)}
            />{' '}
            <Button
              size="small"
              variant="minimal"
              text={t('common.cancel')}
              onClick={() => hold(null)}
            />
          </span>
        )}
        {tree.complete ? null : (
          <span className="jw-tree__held">{t('tree.incomplete', { n: limits.treeHits })}</span>
        )}
      </div>
      <div
        className={`jw-table-wrap${tree.busy ? ' is-reading' : ''}`}
        ref={box}
        aria-busy={tree.busy}
      >
        <table
          role="treegrid"
          className={`jw-table jw-tree${drag === null ? '' : ' is-dragging'}`}
          aria-label={config.name}
        >
          <thead>
            <tr role="row">
              {columns.map(({ field, label }) => (
                <th role="columnheader" key={field.attrName} scope="col">
                  {label}
                </th>
              ))}
              <th
                role="columnheader"
                scope="col"
                className="is-fixed is-edge-right"
                style={{ right: 0 }}
              >
                {t('list.operation')}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {lines.map((line) =>
              line.kind === 'more' ? (
                <tr role="row" key={`more-${line.parent}`}>
                  <td role="gridcell" colSpan={columns.length + 1}>
                    <span className="jw-tree__lead" style={{ paddingLeft: line.depth * 22 + 30 }}>
                      <Button
                        variant="minimal"
                        size="small"
                        intent="primary"
                        text={t('tree.more', { n: Math.min(line.left, limits.treePage) })}
                        onClick={() => {
                          void tree.more(line.parent)
                        }}
                      />
                    </span>
                  </td>
                </tr>
              ) : (
                <TreeRow
                  key={line.node.row.id}
                  tag={config.tag}
                  line={line}
                  columns={columns}
                  name={nameOf(line.node.row)}
                  canMove={canMove}
                  isCurrent={line.node.row.id === focused}
                  isHeld={
                    held?.node.row.id === line.node.row.id ||
                    drag?.line.node.row.id === line.node.row.id
                  }
                  drop={
                    drag?.drop?.on.node.row.id === line.node.row.id &&
                    placeOf(tree.branches, drag.line.node.row.id, drag.drop) !== null
                      ? drag.drop.where
                      : null
                  }
                  actions={actionsFor(line)}
                  onFold={() => {
                    if (line.open) tree.fold(line.node.row.id)
                    else void tree.unfold(line.node.row.id)
                  }}
                  onFocus={() => setCurrent(line.node.row.id)}
                  onKey={keys(line)}
                  onTake={take(line)}
                />
              ),
            )}
          </tbody>
        </table>
        {lines.length === 0 ? empty : null}
      </div>
      {drag === null ? null : (
        <div className="jw-drag" style={{ left: drag.x + 14, top: drag.y + 12 }}>
          {dropText}
        </div>
      )}
    </>
  )
}

/** The name first, whatever the list begins with; what holds the parent is shown by the tree itself. */
function treeColumns(config: EntityConfig): readonly Column[] {
  const columns = columnsOf(config, false, 0).filter(
    ({ field }) => field.attrName !== config.tree?.parentField,
  )
  const name = columns.find(({ field }) => field.attrName === config.tagField)
  return name === undefined ? columns : [name, ...columns.filter((column) => column !== name)]
}

function useMoves(config: EntityConfig, tree: Tree, lines: readonly Line[], canMove: boolean) {
  const [current, setCurrent] = useState<string | null>(null)
  const [held, setHeld] = useState<NodeLine | null>(null)
  const lineOf = (id: string) =>
    lines.find((each): each is NodeLine => each.kind === 'node' && each.node.row.id === id)
  const moveTo = (line: NodeLine, place: Place | null) => {
    if (place === null) return
    setHeld(null)
    void tree.move(line.node.row, place).then(() => {
      setCurrent(line.node.row.id)
      requestAnimationFrame(() =>
        document
          .querySelector<HTMLElement>(`.jw-tree [data-node="${CSS.escape(line.node.row.id)}"]`)
          ?.focus(),
      )
    })
  }
  const paste = (parent: NodeLine | null) => {
    if (held === null) return
    moveTo(
      held,
      parent === null
        ? held.node.parent === '0'
          ? null
          : { parent: '0', before: null }
        : placeOf(tree.branches, held.node.row.id, { where: 'into', on: parent }),
    )
  }
  const canOrder = config.tree?.sortField !== null && config.tree !== undefined
  const drag = useTreeDrag({
    canOrder,
    lineOf,
    onDrop: (line, drop) => moveTo(line, placeOf(tree.branches, line.node.row.id, drop)),
    onRest: (id) => {
      void tree.unfold(id)
    },
  })
  const keys = useTreeKeys(tree, lines, canMove, { moveTo, held, hold: setHeld, paste })
  return { current, setCurrent, held, hold: setHeld, paste, drag, keys }
}

/** Walking, folding, moving, cutting and pasting by keys, on the row that has the focus. */
function useTreeKeys(
  tree: Tree,
  lines: readonly Line[],
  canMove: boolean,
  {
    moveTo,
    held,
    hold,
    paste,
  }: {
    moveTo: (line: NodeLine, place: Place | null) => void
    held: NodeLine | null
    hold: (line: NodeLine | null) => void
    paste: (parent: NodeLine | null) => void
  },
) {
  return (line: NodeLine) => (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return
    const nodes = lines.filter((each) => each.kind === 'node')
    const at = nodes.findIndex(({ node }) => node.row.id === line.node.row.id)
    const go = (to: NodeLine | undefined) => {
      if (to !== undefined)
        event.currentTarget.parentElement
          ?.querySelector<HTMLElement>(`[data-node="${CSS.escape(to.node.row.id)}"]`)
          ?.focus()
    }
    const isControl = event.ctrlKey || event.metaKey
    const step = steps[event.key]
    const { id } = line.node.row
    const done = (() => {
      if (event.altKey && step !== undefined) {
        if (canMove) moveTo(line, stepFrom(tree.branches, line, step))
        return true
      }
      if (isControl && canMove && event.key.toLowerCase() === 'x') {
        hold(line)
        return true
      }
      if (isControl && held !== null && event.key.toLowerCase() === 'v') {
        paste(line)
        return true
      }
      if (event.altKey || isControl) return false
      switch (event.key) {
        case 'ArrowUp':
          go(nodes[at - 1])
          return true
        case 'ArrowDown':
          go(nodes[at + 1])
          return true
        case 'Home':
          go(nodes[0])
          return true
        case 'End':
          go(nodes.at(-1))
          return true
        case 'ArrowRight':
          if (line.open) go(nodes[at + 1])
          else if (line.node.children > 0) void tree.unfold(id)
          return true
        case 'ArrowLeft':
          if (line.open) tree.fold(id)
          else go(nodes.find(({ node }) => node.row.id === line.node.parent))
          return true
        case 'Escape':
          if (held === null) return false
          hold(null)
          return true
        default:
          return false
      }
    })()
    if (done) event.preventDefault()
  }
}
