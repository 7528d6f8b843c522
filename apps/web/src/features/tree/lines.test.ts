import type { TreeNode } from '@jiaowu/api/contract/entity/tree'
import { describe, expect, it } from 'vitest'
import {
  type Branches,
  foundBranches,
  listVisibleLines,
  type NodeLine,
  findDropPlace,
  stepFrom,
  whereIn,
} from './lines.ts'

function buildTreeNode(id: string, parent: string, children = 0): TreeNode {
  return {
    row: { id },
    parent,
    children,
  }
}
function branch(parent: string, ids: readonly string[], total = ids.length) {
  return [parent, { nodes: ids.map((id) => buildTreeNode(id, parent)), total }] as const
}
const branches: Branches = new Map([
  branch('0', ['a', 'b']),
  branch('a', ['a1', 'a2', 'a3']),
  branch('a1', ['x']),
  branch('b', ['b1'], 5),
])
const open = new Set(['a', 'a1', 'b'])
const lines = listVisibleLines(branches, open)
function findNodeLine(id: string): NodeLine {
  const found = lines.find((each) => each.kind === 'node' && each.node.row.id === id)
  if (found?.kind !== 'node') throw new Error(id)
  return found
}

describe('tree lines', () => {
  it('show children below unfolded parents, with a line for unread rows', () => {
    expect(
      lines.map((each) =>
        each.kind === 'node'
          ? `${'.'.repeat(each.depth)}${each.node.row.id}`
          : `${'.'.repeat(each.depth)}+${each.left}`,
      ),
    ).toEqual(['a', '.a1', '..x', '.a2', '.a3', 'b', '.b1', '.+4'])
    expect(listVisibleLines(branches, new Set(['b'])).length).toBe(4)
  })
  it('map a drop to a place, or to null where the row cannot go', () => {
    const at = (moved: string, where: 'before' | 'after' | 'into', on: string) =>
      findDropPlace(branches, moved, { where, on: findNodeLine(on) })
    expect(at('a3', 'before', 'a1')).toEqual({ parent: 'a', before: 'a1' })
    expect(at('a1', 'after', 'a2')).toEqual({ parent: 'a', before: 'a3' })
    expect(at('x', 'after', 'a3')).toEqual({ parent: 'a', before: null })
    expect(at('b', 'into', 'a1')).toEqual({ parent: 'a1', before: null })
    for (const [moved, where, on] of [
      ['a', 'into', 'a'],
      ['a', 'into', 'x'],
      ['a', 'before', 'a2'],
      ['a1', 'before', 'a2'],
      ['a1', 'after', 'a1'],
      ['x', 'into', 'a1'],
      ['a1', 'after', 'b1'],
    ] as const)
      expect(at(moved, where, on)).toBeNull()
  })
  it('map a keyboard step to a place, or to null', () => {
    expect(stepFrom(branches, findNodeLine('a2'), 'up')).toEqual({ parent: 'a', before: 'a1' })
    expect(stepFrom(branches, findNodeLine('a1'), 'down')).toEqual({ parent: 'a', before: 'a3' })
    expect(stepFrom(branches, findNodeLine('a2'), 'down')).toEqual({ parent: 'a', before: null })
    expect(stepFrom(branches, findNodeLine('a2'), 'in')).toEqual({ parent: 'a1', before: null })
    expect(stepFrom(branches, findNodeLine('a2'), 'out')).toEqual({ parent: '0', before: 'b' })
    expect(stepFrom(branches, findNodeLine('x'), 'out')).toEqual({ parent: 'a', before: 'a2' })
    expect([
      stepFrom(branches, findNodeLine('a'), 'out'),
      stepFrom(branches, findNodeLine('a1'), 'up'),
      stepFrom(branches, findNodeLine('a3'), 'down'),
      stepFrom(branches, findNodeLine('a1'), 'in'),
    ]).toEqual([null, null, null, null])
  })
  it('treat the edges of a row as beside it and the middle as into it', () => {
    expect([2, 20, 39].map((y) => whereIn(0, 40, y, true))).toEqual(['before', 'into', 'after'])
    expect(whereIn(0, 40, 2, false)).toBe('into')
  })
  it('show search hits with their ancestors unfolded', () => {
    const found = foundBranches([
      buildTreeNode('a', '0', 3),
      { ...buildTreeNode('a2', 'a'), hit: true },
    ])
    expect(
      listVisibleLines(found.branches, found.open).map((each) =>
        each.kind === 'node' ? each.node.row.id : '',
      ),
    ).toEqual(['a', 'a2'])
    expect(listVisibleLines(foundBranches([]).branches, new Set())).toEqual([])
  })
})
