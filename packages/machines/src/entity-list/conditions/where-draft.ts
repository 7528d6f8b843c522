import { defaultLocale, type Locale } from '@jiaowu/api/locale'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { periodOfTerm, termDictionary } from '@jiaowu/api/entity/list/periods'
import { queryFields } from '@jiaowu/api/entity/list/time-fields'
import type { Where, WhereLeaf, WhereNode, WhereOperator } from '@jiaowu/api/entity/list/list-query'
import { whereNodes } from '@jiaowu/api/entity/list/where-parts'

export type Joint = 'and' | 'or'
/** Conditions of which all or any hold; a value that is missing makes a condition incomplete. */
export interface DraftGroup {
  readonly joint: Joint
  readonly leaves: readonly WhereLeaf[]
  /** Groups in the group; those of the last level have none. */
  readonly groups: readonly DraftGroup[]
}
/** Conditions in groups, as the drawer of filters edits them: the levels that the wire has. */
export interface WhereDraft {
  readonly joint: Joint
  readonly groups: readonly DraftGroup[]
}
/** Indexes that lead to a group. */
export type GroupPath = readonly number[]

const readJoint = (where: Where): Joint => ('and' in where ? 'and' : 'or')
const isLeaf = (node: WhereNode): node is WhereLeaf => 'column' in node

/** The conditions as groups. Conditions beside groups are the first group. */
export function draftOfWhere(where: Where | null): WhereDraft {
  if (where === null) return { joint: 'and', groups: [] }
  const { joint, leaves, groups } = toDraftGroup(where)
  return {
    joint,
    groups: [...(leaves.length === 0 ? [] : [{ joint, leaves, groups: [] }]), ...groups],
  }
}

function toDraftGroup(where: Where): DraftGroup {
  const nodes = whereNodes(where)
  return {
    joint: readJoint(where),
    leaves: nodes.filter(isLeaf),
    groups: nodes.flatMap((node) => (isLeaf(node) ? [] : [toDraftGroup(node)])),
  }
}

/** The conditions that are complete; null when there are none. */
export function whereOfDraft({ joint, groups }: WhereDraft): Where | null {
  const parts = groups.map((group) => ({ joint: group.joint, nodes: toWhereNodes(group) }))
  const filled = parts.filter(({ nodes }) => nodes.length > 0)
  const [only] = filled
  if (only === undefined) return null
  if (filled.length === 1) return joinNodes(only.joint, only.nodes)
  return joinNodes(
    joint,
    filled.flatMap((part): readonly WhereNode[] =>
      part.joint === joint ? part.nodes : [joinNodes(part.joint, part.nodes)],
    ),
  )
}

function toWhereNodes({ leaves, groups }: DraftGroup): readonly WhereNode[] {
  const inner = groups
    .map((group) => ({ joint: group.joint, nodes: toWhereNodes(group) }))
    .filter(({ nodes }) => nodes.length > 0)
  return [
    ...leaves.filter(isCompleteLeaf),
    ...inner.map(({ joint, nodes }) => joinNodes(joint, nodes)),
  ]
}

const joinNodes = (joint: Joint, nodes: readonly WhereNode[]): Where =>
  joint === 'and' ? { and: nodes } : { or: nodes }

function isCompleteLeaf({ op, value }: WhereLeaf): boolean {
  if (op === 'isEmpty' || op === 'notEmpty') return true
  if (Array.isArray(value)) return value.some((each) => each !== null && each !== '')
  return value !== null && value !== undefined && value !== ''
}

/** The draft with one group changed; a group without conditions is gone. */
export function withGroup(
  draft: WhereDraft,
  path: GroupPath,
  change: (group: DraftGroup) => DraftGroup,
): WhereDraft {
  return { ...draft, groups: changedGroups(draft.groups, path, change) }
}

function changedGroups(
  groups: readonly DraftGroup[],
  [at, ...rest]: GroupPath,
  change: (group: DraftGroup) => DraftGroup,
): readonly DraftGroup[] {
  return groups
    .map((group, index) => {
      if (index !== at) return group
      return rest.length === 0
        ? change(group)
        : { ...group, groups: changedGroups(group.groups, rest, change) }
    })
    .filter(({ leaves, groups: inner }) => leaves.length > 0 || inner.length > 0)
}

/** Conditions in all groups, complete or not. */
export function leafCount(groups: readonly DraftGroup[]): number {
  return groups.reduce((sum, each) => sum + each.leaves.length + leafCount(each.groups), 0)
}

/** Fields that conditions in groups can use. */
export function filterFields(
  config: Pick<EntityConfig, 'fields' | 'times'>,
  locale: Locale = defaultLocale,
): readonly Field[] {
  return queryFields(config, locale).filter((field) =>
    operatorsFor(field).some((op) => op !== 'isEmpty'),
  )
}

const empties = ['isEmpty', 'notEmpty'] as const

/** Operators of a field's conditions, the usual one first. Personal data is compared by whole values. */
export function operatorsFor(field: Field): readonly WhereOperator[] {
  const { family, multiple } = findKind(field.uiType)
  if ((field.pii ?? null) !== null) return ['equal', 'notEqual', ...empties]
  switch (family) {
    case 'text':
      return ['like', 'equal', 'notEqual', 'rightLike', 'leftLike', ...empties]
    case 'number':
      return ['between', 'equal', 'notEqual', 'gt', 'ge', 'lt', 'le', ...empties]
    case 'temporal':
      return [
        ...(hasPeriods(field) ? (['during'] as const) : []),
        'between',
        'ge',
        'le',
        ...empties,
      ]
    case 'choice':
      return [
        ...(hasTerms(field) ? (['during'] as const) : []),
        'in',
        ...(multiple ? (['multiContains'] as const) : (['notEqual'] as const)),
        ...empties,
      ]
    case 'flag':
      return ['equal', ...empties]
    default:
      return empties
  }
}

/** Whether a date has periods such as this week. */
export function hasPeriods({ uiType }: Field): boolean {
  return findKind(uiType).temporal?.hasDay === true
}

/** Whether the choices of a field are the terms. */
export function hasTerms({ dictValue, pii }: Field): boolean {
  return dictValue === termDictionary && (pii ?? null) === null
}

/** The conditions with this term in the place of the current one of the calendar; null: as they are. */
export function withTerm(where: Where | null, term: string | null): Where | null {
  if (where === null || term === null) return where
  const nodes = whereNodes(where).map((node): WhereNode =>
    !isLeaf(node)
      ? (withTerm(node, term) ?? node)
      : node.op === 'during' && node.value === 'term'
        ? { ...node, value: periodOfTerm(term) }
        : node.where === undefined
          ? node
          : { ...node, where: withTerm(node.where, term) ?? node.where },
  )
  return joinNodes(readJoint(where), nodes)
}
