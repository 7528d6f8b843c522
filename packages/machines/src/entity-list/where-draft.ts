import {
  type EntityConfig,
  type Field,
  kindOf,
  periodOfTerm,
  termDictionary,
  type Where,
  whereNodes,
  type WhereLeaf,
  type WhereNode,
  type WhereOperator,
} from '@jiaowu/api'

export type Joint = 'and' | 'or'
/** Conditions of which all or any hold; a value that is missing makes a condition incomplete. */
export interface DraftGroup {
  readonly joint: Joint
  readonly leaves: readonly WhereLeaf[]
}
/** Conditions in groups, as the drawer of filters edits them: two levels. */
export interface WhereDraft {
  readonly joint: Joint
  readonly groups: readonly DraftGroup[]
}

const jointOf = (where: Where): Joint => ('and' in where ? 'and' : 'or')
const isLeaf = (node: WhereNode): node is WhereLeaf => 'column' in node

/** The conditions as groups; those of a third level are not among them. */
export function draftOfWhere(where: Where | null): WhereDraft {
  if (where === null) return { joint: 'and', groups: [] }
  const joint = jointOf(where)
  const nodes = whereNodes(where)
  const loose = nodes.filter(isLeaf)
  const groups = nodes.flatMap((node) =>
    isLeaf(node) ? [] : [{ joint: jointOf(node), leaves: whereNodes(node).filter(isLeaf) }],
  )
  return { joint, groups: [...(loose.length === 0 ? [] : [{ joint, leaves: loose }]), ...groups] }
}

/** The conditions that are complete; null when there are none. */
export function whereOfDraft({ joint, groups }: WhereDraft): Where | null {
  const parts = groups
    .map((group) => ({ ...group, leaves: group.leaves.filter(isComplete) }))
    .filter(({ leaves }) => leaves.length > 0)
  const [only] = parts
  if (only === undefined) return null
  if (parts.length === 1) return joined(only.joint, only.leaves)
  return joined(
    joint,
    parts.flatMap((part): readonly WhereNode[] =>
      part.joint === joint ? part.leaves : [joined(part.joint, part.leaves)],
    ),
  )
}

const joined = (joint: Joint, nodes: readonly WhereNode[]): Where =>
  joint === 'and' ? { and: nodes } : { or: nodes }

function isComplete({ op, value }: WhereLeaf): boolean {
  if (op === 'isEmpty' || op === 'notEmpty') return true
  if (Array.isArray(value)) return value.some((each) => each !== null && each !== '')
  return value !== null && value !== undefined && value !== ''
}

/** The draft with other leaves in one group; a group without leaves is gone. */
export function withLeaves(
  draft: WhereDraft,
  at: number,
  change: (leaves: readonly WhereLeaf[]) => readonly WhereLeaf[],
): WhereDraft {
  return {
    ...draft,
    groups: draft.groups
      .map((group, index) => (index === at ? { ...group, leaves: change(group.leaves) } : group))
      .filter(({ leaves }) => leaves.length > 0),
  }
}

/** Fields that conditions in groups can use. */
export function filterFields({ fields }: Pick<EntityConfig, 'fields'>): readonly Field[] {
  return fields.filter(
    (field) => field.isQuery === 1 && operatorsFor(field).some((op) => op !== 'isEmpty'),
  )
}

const empties = ['isEmpty', 'notEmpty'] as const

/** Operators of a field's conditions, the usual one first. Personal data is compared by whole values. */
export function operatorsFor(field: Field): readonly WhereOperator[] {
  const { family, multiple } = kindOf(field.uiType)
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
  return kindOf(uiType).temporal?.hasDay === true
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
        : node,
  )
  return joined(jointOf(where), nodes)
}
