import type { EntityConfig } from '@jiaowu/api/entity/config'
import { type KeyboardEvent, useState } from 'react'
import {
  type Line,
  type NodeLine,
  type Place,
  findDropPlace,
  type Step,
  stepFrom,
} from './lines.ts'
import type { Tree } from './use-tree.ts'
import { useTreeDrag } from './use-tree-drag.ts'

/** The tree as it is shown: data, visible lines, and whether rows may be moved. */
interface ShownTree {
  readonly tree: Tree
  readonly lines: readonly Line[]
  readonly canMove: boolean
}

interface Moves {
  readonly moveTo: (line: NodeLine, place: Place | null) => void
  /** The row that was cut and waits for a paste. */
  readonly cutLine: NodeLine | null
  readonly cut: (line: NodeLine | null) => void
  /** Moves the cut row below `parent`; null: to the top level. */
  readonly paste: (parent: NodeLine | null) => void
}

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

/** Moving rows of a tree by drag and drop, by cut and paste, and by keys. */
export function useTreeMoves(config: EntityConfig, shown: ShownTree) {
  const { tree, lines } = shown
  const [current, setCurrent] = useState<string | null>(null)
  const [cutLine, cut] = useState<NodeLine | null>(null)
  const moveTo = (line: NodeLine, place: Place | null) => {
    if (place === null) return
    cut(null)
    void tree.move(line.node.row, place).then(() => {
      setCurrent(line.node.row.id)
      requestAnimationFrame(() => focusNode(document, line.node.row.id))
    })
  }
  const paste = (parent: NodeLine | null) => {
    if (cutLine === null) return
    moveTo(
      cutLine,
      parent === null
        ? cutLine.node.parent === '0'
          ? null
          : { parent: '0', before: null }
        : findDropPlace(tree.branches, cutLine.node.row.id, { where: 'into', on: parent }),
    )
  }
  const drag = useTreeDrag({
    canOrder: config.tree?.sortField !== null && config.tree !== undefined,
    lineOf: (id) =>
      lines.find((each): each is NodeLine => each.kind === 'node' && each.node.row.id === id),
    onDrop: (line, drop) => moveTo(line, findDropPlace(tree.branches, line.node.row.id, drop)),
    onRest: (id) => {
      void tree.unfold(id)
    },
  })
  const keys = treeKeys(shown, { moveTo, cutLine, cut, paste })
  return { current, setCurrent, cutLine, cut, paste, drag, keys }
}

/** Keyboard handler of the focused row: a handled key does not scroll the page. */
function treeKeys(shown: ShownTree, moves: Moves) {
  return (line: NodeLine) => (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return
    const isModified = event.altKey || event.ctrlKey || event.metaKey
    const handled = isModified
      ? moveByKey(shown, moves, line, event)
      : walkByKey(shown, moves, line, event)
    if (handled) event.preventDefault()
  }
}

/**
 * Alt with an arrow moves the row one step, Ctrl/Cmd+X cuts it, Ctrl/Cmd+V pastes the cut row below
 * it.
 */
function moveByKey(
  { tree, canMove }: ShownTree,
  { moveTo, cutLine, cut, paste }: Moves,
  line: NodeLine,
  event: KeyboardEvent,
): boolean {
  const step = steps[event.key]
  if (event.altKey && step !== undefined) {
    if (canMove) moveTo(line, stepFrom(tree.branches, line, step))
    return true
  }
  const isControl = event.ctrlKey || event.metaKey
  if (isControl && canMove && event.key.toLowerCase() === 'x') {
    cut(line)
    return true
  }
  if (isControl && cutLine !== null && event.key.toLowerCase() === 'v') {
    paste(line)
    return true
  }
  return false
}

/**
 * Arrows, Home and End move the focus; Right and Left also unfold and fold; Escape drops the cut.
 */
function walkByKey(
  { tree, lines }: ShownTree,
  { cutLine, cut }: Moves,
  line: NodeLine,
  { key, currentTarget }: KeyboardEvent<HTMLTableRowElement>,
): boolean {
  const { id } = line.node.row
  const nodes = lines.filter((each) => each.kind === 'node')
  const at = nodes.findIndex(({ node }) => node.row.id === id)
  const focus = (to: NodeLine | undefined) => {
    if (to !== undefined && currentTarget.parentElement !== null)
      focusNode(currentTarget.parentElement, to.node.row.id)
  }
  const walks: Readonly<Record<string, () => void>> = {
    ArrowUp: () => focus(nodes[at - 1]),
    ArrowDown: () => focus(nodes[at + 1]),
    Home: () => focus(nodes[0]),
    End: () => focus(nodes.at(-1)),
    ArrowRight: () => {
      if (line.open) focus(nodes[at + 1])
      else if (line.node.children > 0) void tree.unfold(id)
    },
    ArrowLeft: () => {
      if (line.open) tree.fold(id)
      else focus(nodes.find(({ node }) => node.row.id === line.node.parent))
    },
    ...(cutLine === null ? {} : { Escape: () => cut(null) }),
  }
  const walk = walks[key]
  walk?.()
  return walk !== undefined
}

function focusNode(within: ParentNode, id: string): void {
  within.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus()
}
