import { Button } from '@blueprintjs/core'
import { CollapseAll } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import { type ReactNode, useMemo } from 'react'
import { useText } from '../../app/text-context.ts'
import { type Column, layOutColumns } from '../../ui/table/columns.ts'
import type { RowAction } from '../../ui/table/row-actions.tsx'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import {
  type Drop,
  type Line,
  listVisibleLines,
  type MoreLine,
  type NodeLine,
  findDropPlace,
} from './lines.ts'
import { TreeRow } from './tree-row.tsx'
import { type Tree, useTree } from './use-tree.ts'
import { useTreeMoves } from './use-tree-moves.ts'

interface Props {
  readonly config: EntityConfig
  /** Content before the tree's own buttons. */
  readonly lead: ReactNode
  readonly queries: Readonly<Record<string, unknown>>
  /** A new value makes the tree read its rows again. */
  readonly stamp: unknown
  readonly canMove: boolean
  /** Called after a row was moved. */
  readonly onMoved: () => void
  readonly actionsOf: (row: Row) => readonly RowAction[]
  readonly onAddBelow: ((row: Row, name: string) => void) | null
  readonly empty: ReactNode
}

/** State that the bar and the table of the tree share. */
interface Shown extends Pick<Props, 'config' | 'actionsOf' | 'onAddBelow'> {
  readonly tree: Tree
  readonly lines: readonly Line[]
  readonly columns: readonly Column[]
  readonly canMove: boolean
  readonly moves: ReturnType<typeof useTreeMoves>
  readonly nameOf: (row: Row) => string
}

const dropKeys = {
  before: 'tree.drop.before',
  after: 'tree.drop.after',
  into: 'tree.drop.into',
} as const satisfies Record<Drop['where'], string>

/**
 * Rows of a hierarchical entity as a tree: read one level at a time, moved by drag, cut and paste,
 * or keys.
 */
export function TreeView(props: Props) {
  const { config, lead, queries, stamp, onMoved, empty } = props
  const { locale } = useText()
  const tree = useTree(config.tag, queries, stamp, onMoved)
  const columns = useMemo(() => treeColumns(config), [config])
  const lines = useMemo(
    () => listVisibleLines(tree.branches, tree.open),
    [tree.branches, tree.open],
  )
  // A search shows only some of the siblings, so a position among them means nothing.
  const canMove = props.canMove && !tree.isSearch
  const moves = useTreeMoves(config, { tree, lines, canMove })
  const { box, drag } = moves.drag
  const nameField = columns[0]?.field
  const nameOf = (row: Row): string =>
    nameField === undefined ? row.id : valueText(nameField, row[nameField.attrName])
  if (tree.problem !== null && lines.length === 0)
    return (
      <Failed
        text={problemText(locale, tree.problem)}
        onRetry={() => {
          void tree.reload()
        }}
      />
    )
  if (!tree.branches.has('0')) return <Loading />
  const shown: Shown = { ...props, tree, lines, columns, canMove, moves, nameOf }
  return (
    <>
      <TreeBar shown={shown} lead={lead} />
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
          <TreeHead columns={columns} />
          <TreeBody shown={shown} />
        </table>
        {lines.length === 0 ? empty : null}
      </div>
      <DragLabel shown={shown} />
    </>
  )
}

/** The name field first; the parent field is left out, since the tree itself shows the parent. */
function treeColumns(config: EntityConfig): readonly Column[] {
  const columns = layOutColumns(config, false, 0).filter(
    ({ field }) => field.attrName !== config.tree?.parentField,
  )
  const name = columns.find(({ field }) => field.attrName === config.tagField)
  return name === undefined ? columns : [name, ...columns.filter((column) => column !== name)]
}

/** Buttons above the tree, and the row that is cut. */
function TreeBar({ shown, lead }: { readonly shown: Shown; readonly lead: ReactNode }) {
  const { t } = useText()
  const {
    tree,
    canMove,
    moves: { cutLine, cut, paste },
    nameOf,
  } = shown
  return (
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
      {cutLine === null ? (
        <span className="jw-tree__keys">{canMove ? t('tree.keys') : ''}</span>
      ) : (
        <span className="jw-tree__held" role="status">
          {t('tree.held', { name: nameOf(cutLine.node.row) })}{' '}
          <Button
            size="small"
            text={t('tree.pasteTop')}
            disabled={cutLine.node.parent === '0'}
            onClick={() => paste(null)}
          />{' '}
          <Button
            size="small"
            variant="minimal"
            text={t('common.cancel')}
            onClick={() => cut(null)}
          />
        </span>
      )}
      {tree.complete ? null : (
        <span className="jw-tree__held">{t('tree.incomplete', { n: limits.treeHits })}</span>
      )}
    </div>
  )
}

function TreeHead({ columns }: { readonly columns: readonly Column[] }) {
  const { t } = useText()
  return (
    <thead>
      <tr role="row">
        {columns.map(({ field, label }) => (
          <th role="columnheader" key={field.attrName} scope="col">
            {label}
          </th>
        ))}
        <th role="columnheader" scope="col" className="is-fixed is-edge-right" style={{ right: 0 }}>
          {t('list.operation')}
        </th>
      </tr>
    </thead>
  )
}

function TreeBody({ shown }: { readonly shown: Shown }) {
  const { config, tree, lines, columns, canMove, moves, nameOf } = shown
  const {
    current,
    setCurrent,
    cutLine,
    drag: { drag, take },
    keys,
  } = moves
  const actionsFor = useRowActions(shown)
  const nodes = lines.filter((line) => line.kind === 'node')
  const focused = nodes.some(({ node }) => node.row.id === current)
    ? current
    : (nodes[0]?.node.row.id ?? null)
  const dropOn = (id: string) =>
    drag?.drop?.on.node.row.id === id &&
    findDropPlace(tree.branches, drag.line.node.row.id, drag.drop) !== null
      ? drag.drop.where
      : null
  return (
    <tbody role="rowgroup">
      {lines.map((line) => {
        if (line.kind === 'more')
          return (
            <MoreRow
              key={`more-${line.parent}`}
              line={line}
              tree={tree}
              colSpan={columns.length + 1}
            />
          )
        const { row } = line.node
        return (
          <TreeRow
            key={row.id}
            tag={config.tag}
            line={line}
            columns={columns}
            name={nameOf(row)}
            canMove={canMove}
            isCurrent={row.id === focused}
            isMoving={cutLine?.node.row.id === row.id || drag?.line.node.row.id === row.id}
            drop={dropOn(row.id)}
            actions={actionsFor(line)}
            onFold={() => {
              if (line.open) tree.fold(row.id)
              else void tree.unfold(row.id)
            }}
            onFocus={() => setCurrent(row.id)}
            onKey={keys(line)}
            onTake={take(line)}
          />
        )
      })}
    </tbody>
  )
}

/** Actions of a row: those of the list, with add below, cut and paste before delete. */
function useRowActions(shown: Shown) {
  const { t } = useText()
  const {
    tree,
    canMove,
    actionsOf,
    onAddBelow,
    nameOf,
    moves: { cutLine, cut, paste },
  } = shown
  return (line: NodeLine): readonly RowAction[] => {
    const { row } = line.node
    const own = actionsOf(row)
    const at = own.findIndex(({ code }) => code === 'delete')
    const more: RowAction[] = []
    if (onAddBelow !== null)
      more.push({
        code: 'addBelow',
        name: t('tree.addChild'),
        run: () => onAddBelow(row, nameOf(row)),
      })
    if (canMove) more.push({ code: 'cut', name: t('tree.cut'), run: () => cut(line) })
    if (cutLine !== null)
      more.push({
        code: 'paste',
        name: t('tree.paste'),
        disabled:
          findDropPlace(tree.branches, cutLine.node.row.id, { where: 'into', on: line }) === null,
        run: () => paste(line),
      })
    return own.toSpliced(at === -1 ? own.length : at, 0, ...more)
  }
}

/** A "load more" row at the end of a branch. */
function MoreRow({
  line,
  tree,
  colSpan,
}: {
  readonly line: MoreLine
  readonly tree: Tree
  readonly colSpan: number
}) {
  const { t } = useText()
  return (
    <tr role="row">
      <td role="gridcell" colSpan={colSpan}>
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
  )
}

/** Label that follows the pointer during a drag. */
function DragLabel({ shown: { moves, nameOf } }: { readonly shown: Shown }) {
  const { t } = useText()
  const { drag } = moves.drag
  if (drag === null) return null
  return (
    <div className="jw-drag" style={{ left: drag.x + 14, top: drag.y + 12 }}>
      {drag.drop === null
        ? nameOf(drag.line.node.row)
        : t(dropKeys[drag.drop.where], { name: nameOf(drag.drop.on.node.row) })}
    </div>
  )
}
