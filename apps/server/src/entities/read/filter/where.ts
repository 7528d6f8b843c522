// Compiles the nested conditions of a list (docs/rules/contract.md#lists).
import { limits } from '@jiaowu/api/limits'
import type { Where, WhereLeaf, WhereNode } from '@jiaowu/api/entity/list/list-query'
import { allOf, always, anyOf, type Condition } from '../../../model/definition/names.ts'
import type { Fault } from '../../../platform/refusal.ts'

/** Compiles one leaf; null for a leaf without a value, which restricts nothing. */
type LeafCompiler = (leaf: WhereLeaf, path: string) => Condition | null

/** The condition; adds a fault for too many levels or leaves. */
export function whereCondition(where: Where, faults: Fault[], leaf: LeafCompiler): Condition {
  const { depth, leaves } = measureDepth(where)
  if (depth > limits.maxWhereDepth) {
    const message = { key: 'entity.whereTooDeep', params: { n: limits.maxWhereDepth } } as const
    faults.push({ path: 'where', rule: 'depth', message })
  } else if (leaves > limits.maxWhereLeaves) {
    const message = { key: 'entity.whereTooMany', params: { n: limits.maxWhereLeaves } } as const
    faults.push({ path: 'where', rule: 'range', message })
  } else return groupCondition(where, 'where', leaf)
  return always
}

/** The attrNames that the conditions use, for audit entries. */
export function whereColumns(where: Where | undefined): string[] {
  return [...new Set(whereLeaves(where).map(({ column }) => column))]
}

export function whereLeaves(where: Where | undefined): WhereLeaf[] {
  return where === undefined ? [] : listWhereLeaves(where)
}

function listWhereLeaves(node: WhereNode): WhereLeaf[] {
  return 'op' in node ? [node] : listParts(node).flatMap(listWhereLeaves)
}

function listParts(group: Where): readonly WhereNode[] {
  return 'and' in group ? group.and : group.or
}

function measureDepth(node: WhereNode): { depth: number; leaves: number } {
  if ('op' in node) return { depth: 0, leaves: 1 }
  const parts = listParts(node).map(measureDepth)
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    leaves: parts.reduce((sum, { leaves }) => sum + leaves, 0),
  }
}

function groupCondition(group: Where, path: string, leaf: LeafCompiler): Condition {
  const word = 'and' in group ? 'and' : 'or'
  const parts = listParts(group).flatMap((node, index) => {
    const at = `${path}.${word}.${index}`
    return ('op' in node ? leaf(node, at) : groupCondition(node, at, leaf)) ?? []
  })
  // A group without conditions restricts nothing, also among alternatives.
  return parts.length === 0 ? always : word === 'and' ? allOf(parts) : anyOf(parts)
}
